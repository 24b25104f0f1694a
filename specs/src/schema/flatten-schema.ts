import type { CanonicalSchema, SchemaWithDefinitions } from './canonical-schema.ts';
import { mergeLimits } from './large-integers.ts';
import { type PartBudget, schemasOfValue } from './schema-parts.ts';

const maxParts = 100_000; // The reader accepts no document with more schemas.

/**
 * Follows references and merges `allOf` into one schema; a schema's own keywords take precedence over those of its parts. Each part
 * is merged once, even if it is included several times. Parts beyond the budget are skipped.
 */
export function flattenSchema(
  { schema, definitions }: SchemaWithDefinitions,
  budget: PartBudget = { parts: maxParts },
): CanonicalSchema {
  if (schema.ref === undefined && schema.allOf === undefined) return schema;
  return mergeParts([...schemasOfValue({ schema, definitions }, ['included'], budget)]);
}

function mergeParts(parts: readonly CanonicalSchema[]): CanonicalSchema {
  const merged: CanonicalSchema = {};
  // In reverse order, because later assignments take precedence.
  for (const { ref, allOf, ...own } of parts.toReversed()) Object.assign(merged, own);
  Object.assign(merged, mergeLimits(parts.toReversed()));
  if (merged.required !== undefined) merged.required = [...new Set(parts.flatMap(({ required = [] }) => required))];
  for (const keyword of ['properties', 'patternProperties'] as const)
    if (merged[keyword] !== undefined) merged[keyword] = mergeMembers(parts.flatMap((part) => part[keyword] ?? []));
  return merged;
}

type Members = ReadonlyMap<string, CanonicalSchema>;

// A member described by several parts must be valid against all of them.
function mergeMembers(described: readonly Members[]): Members {
  const [only] = described;
  if (described.length === 1 && only !== undefined) return only;
  const named = described.toReversed().flatMap((members) => [...members]);
  const byName = Map.groupBy(named, ([name]) => name);
  return new Map(
    [...byName].map(([name, found]) => {
      const [first = {}, ...more] = found.map(([, schema]) => schema).reverse();
      return [name, more.length === 0 ? first : { allOf: [first, ...more] }];
    }),
  );
}
