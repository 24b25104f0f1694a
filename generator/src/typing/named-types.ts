import type { CanonicalSchema, DefinitionName, Definitions } from '../../../specs/src/index.ts';
import { joinTypes, neverType, type TsType, unknownType } from './ts-type.ts';

/** Shared state for reading and combining the types of one document. */
export type TypingState = {
  readType(schema: CanonicalSchema): TsType;
  /** Narrows a known type by a schema. */
  narrow(base: TsType, schema: CanonicalSchema): TsType;
  /** Returns the type behind a name; undefined while that type is being created. */
  expand(name: DefinitionName): TsType | undefined;
  /** Like `expand`, but returns the result of the first pass while the type is being created. */
  readShape(name: DefinitionName): TsType | undefined;
  /** Types that each named type is being intersected with at the moment. A repeated pair means endless recursion. */
  readonly intersecting: Map<DefinitionName, Set<TsType | DefinitionName>>;
  /** Types that are being subtracted from each type at the moment, to detect endless recursion in the same way. */
  readonly subtracting: Map<TsType | DefinitionName, Set<TsType | DefinitionName>>;
  /** True if types of arrays include their lengths. */
  readonly arrayLengths: { areIncluded: boolean };
  /** Remaining steps. They are limited, because merging the schemas of a document can take exponentially many. */
  readonly budget: { steps: number };
};

const maxSteps = 100_000;
/** Maximum length of a chain of references that is merged; longer chains are printed as intersections. */
const maxDepth = 100;

type Narrow = (base: TsType, schema: CanonicalSchema, state: TypingState) => TsType;

/** Creates the typing state of a document. Each named type is created once, on demand. */
export function createTypingState(
  definitions: Definitions,
  narrow: Narrow,
  includesLengths: (name: DefinitionName) => boolean,
): TypingState {
  let types = new Map<DefinitionName, TsType | undefined>();
  let firstPass: ReadonlyMap<DefinitionName, TsType | undefined> = new Map();
  let isRecursive = false;
  let depth = 0;
  const expand = (name: DefinitionName): TsType | undefined => {
    const known = types.get(name);
    if (known !== undefined) return known;
    if (types.has(name) || depth > maxDepth) {
      isRecursive = true;
      return undefined;
    }
    depth++;
    types.set(name, undefined);
    const { areIncluded } = state.arrayLengths;
    state.arrayLengths.areIncluded = includesLengths(name);
    const type = breakCycle(name, state.readType(definitions.get(name) ?? {}), expand);
    state.arrayLengths.areIncluded = areIncluded;
    types.set(name, type);
    depth--;
    return type;
  };
  const state: TypingState = {
    readType: (schema) => narrow(unknownType, schema, state),
    narrow: (base, schema) => narrow(base, schema, state),
    expand,
    readShape: (name) => expand(name) ?? firstPass.get(name),
    intersecting: new Map(),
    subtracting: new Map(),
    arrayLengths: { areIncluded: false },
    budget: { steps: maxSteps },
  };
  for (const name of definitions.keys()) expand(name);
  // Recursive types were incomplete when others used them. Create all types again on demand, with `firstPass` as shapes.
  if (isRecursive) [firstPass, types] = [types, new Map()];
  return state;
}

// TypeScript rejects a type that refers to itself other than through a member or an item (`type A = A | string`).
// A union member that leads back to `name` is replaced by its own members. Any other such type becomes unknown.
function breakCycle(name: DefinitionName, type: TsType, expand: TypingState['expand']): TsType {
  const leadsBack = (from: TsType, seen = new Set<TsType | DefinitionName>()): boolean => {
    const key = from.kind === 'reference' ? from.name : from;
    if (key === name) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    if (from.kind === 'union' || from.kind === 'intersection') return from.members.some((one) => leadsBack(one, seen));
    const expanded = from.kind === 'reference' ? expand(from.name) : undefined;
    return expanded !== undefined && leadsBack(expanded, seen);
  };
  if (!leadsBack(type)) return type;
  const followed = new Set([name]);
  const listOthers = (from: TsType): readonly TsType[] => {
    if (from.kind === 'union') return from.members.flatMap(listOthers);
    if (!leadsBack(from)) return [from];
    if (from.kind !== 'reference' || followed.has(from.name)) return [];
    followed.add(from.name);
    return listOthers(expand(from.name) ?? neverType);
  };
  const others = listOthers(type);
  return others.length === 0 ? unknownType : joinTypes(others);
}
