import {
  type CanonicalSchema,
  type DefinitionName,
  type Definitions,
  formatPointer,
  hasImpossibleEnum,
  isNothing,
  type JsonObject,
  kindsOfValue,
  resolvePointer,
  schemasOfValue,
  visitParts,
} from '../../../specs/src/index.ts';
import type { Typing } from '../typing/typing.ts';

/** A schema, its pointer in the document, and whether it describes a whole value (an output, a member or an item). */
export type PlacedSchema = {
  readonly schema: CanonicalSchema;
  readonly pointer: string;
  readonly isWhole: boolean;
};

/**
 * Returns pointers to the schemas of outputs, members and items that no value can satisfy, except for an explicit `false`.
 * Doesn't search inside an impossible schema.
 */
export function findImpossible(roots: readonly PlacedSchema[], root: JsonObject, typing: Typing): ReadonlySet<string> {
  const isImpossible = (schema: CanonicalSchema): boolean => {
    if (isNothing(schema) || hasImpossibleEnum(schema)) return false; // The reader reports these enums.
    const type = typing.readType(schema, { isCounted: false });
    return type.kind === 'never' || (type.kind === 'reference' && typing.declared(type.name).kind === 'never');
  };
  const found = new Set<string>();
  const seen = new Set<CanonicalSchema>();
  const pending = [...roots];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { schema, pointer, isWhole } = next;
    if (seen.has(schema)) continue;
    seen.add(schema);
    if (isWhole && isImpossible(schema)) {
      found.add(pointer);
      continue;
    }
    visitParts(schema, (part, kind, steps) => {
      const place = `${pointer}${formatPointer([...steps])}`;
      // Schemas that the reader created, for example for `nullable`, are not in the document.
      const isInDocument = resolvePointer(root, place) !== undefined;
      pending.push({ schema: part, pointer: isInDocument ? place : pointer, isWhole: kind === 'child' });
    });
  }
  return found;
}

/** Maximum number of schemas that are visited to find endless definitions; in larger documents some may be missed. */
const maxVisited = 200_000;

/**
 * Returns the definitions that refer to themselves for the same value, so that validating against them would never end.
 */
export function findEndless(definitions: Definitions): DefinitionName[] {
  const budget = { parts: maxVisited };
  const kinds = [...kindsOfValue, 'tested' as const];
  const isEndless = (schema: CanonicalSchema): boolean => {
    const own = schemasOfValue({ schema, definitions: new Map() }, kinds, budget);
    const targets = [...own].flatMap(({ ref }) => (ref && definitions.get(ref)) ?? []);
    return targets.some((target) => schemasOfValue({ schema: target, definitions }, kinds, budget).has(schema));
  };
  return [...definitions].flatMap(([name, schema]) => (isEndless(schema) ? [name] : [])).sort();
}
