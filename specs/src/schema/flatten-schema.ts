import { anything, type CanonicalSchema, type Definitions, type SchemaWithDefinitions } from './canonical-schema.ts';

const maxDepth = 12;
const maxParts = 1000; // a schema may include itself several times at every level

/** The schema with references followed and `allOf` merged; its own keywords win over those of its parts. */
export function flattenSchema({ schema, definitions }: SchemaWithDefinitions): CanonicalSchema {
  return flatten(schema, { definitions, parts: maxParts }, 0);
}

type Walk = { readonly definitions: Definitions; parts: number };

function flatten(schema: CanonicalSchema, walk: Walk, depth: number): CanonicalSchema {
  if (depth > maxDepth || walk.parts <= 0) return anything;
  walk.parts -= 1;
  const { ref, allOf = [], ...own } = schema;
  const target = ref === undefined ? undefined : walk.definitions.get(ref);
  const parts = target === undefined ? allOf : [target, ...allOf];
  return parts.reduce<CanonicalSchema>((merged, part) => merge(merged, flatten(part, walk, depth + 1)), own);
}

function merge(one: CanonicalSchema, other: CanonicalSchema): CanonicalSchema {
  const merged = { ...other, ...one };
  if (one.required && other.required) merged.required = [...new Set([...one.required, ...other.required])];
  if (one.limits && other.limits) merged.limits = new Map([...other.limits, ...one.limits]);
  for (const keyword of ['properties', 'patternProperties'] as const) {
    const [mine, theirs] = [one[keyword], other[keyword]];
    if (mine && theirs) merged[keyword] = mergeMembers(mine, theirs);
  }
  return merged;
}

type Members = ReadonlyMap<string, CanonicalSchema>;

// A member that both describe has to be valid against both.
function mergeMembers(mine: Members, theirs: Members): Members {
  const merged = new Map(theirs);
  for (const [name, schema] of mine) {
    const other = theirs.get(name);
    merged.set(name, other === undefined ? schema : { allOf: [schema, other] });
  }
  return merged;
}
