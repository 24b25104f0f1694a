import type { CanonicalSchema, DefinitionName, Definitions } from '../../../specs/src/index.ts';
import { joinTypes, type TsType, unknownType } from './ts-type.ts';

/** Shared state for reading and combining the types of one document. */
export type TypingState = {
  readType(schema: CanonicalSchema): TsType;
  /** Narrows a known type by a schema. */
  narrow(base: TsType, schema: CanonicalSchema): TsType;
  /** Returns the type behind a name; undefined while that type is being created. */
  expand(name: DefinitionName): TsType | undefined;
  /** Like `expand`, but returns the result of the first pass while the type is being created. */
  readShape(name: DefinitionName): TsType | undefined;
  /** Types that each name is being intersected with, to detect a repeated pair. */
  readonly intersecting: Map<DefinitionName, Set<TsType | DefinitionName>>;
  /** Types that each name is being subtracted from, for the same reason. */
  readonly subtracting: Map<TsType | DefinitionName, Set<TsType | DefinitionName>>;
  /** True if types of arrays include the number of items. */
  readonly counting: { isOn: boolean };
  /** Remaining steps. Limited, because a document can require exponentially many. */
  readonly budget: { steps: number };
};

const stepsAtMost = 100_000;
/** Maximum length of a chain of names that is merged; longer chains are printed as intersections. */
const chainsAtMost = 100;

type Narrow = (base: TsType, schema: CanonicalSchema, state: TypingState) => TsType;

/** Creates the state of a document, in which each named type is created once. */
export function createTypingState(
  definitions: Definitions,
  narrow: Narrow,
  isCounted: (name: DefinitionName) => boolean,
): TypingState {
  let made = new Map<DefinitionName, TsType | undefined>();
  let firstPass: ReadonlyMap<DefinitionName, TsType | undefined> = new Map();
  let isRecursive = false;
  let depth = 0;
  const expand = (name: DefinitionName): TsType | undefined => {
    const known = made.get(name);
    if (known !== undefined) return known;
    if (made.has(name) || depth > chainsAtMost) {
      isRecursive = true;
      return undefined;
    }
    depth++;
    made.set(name, undefined);
    const { isOn } = state.counting;
    state.counting.isOn = isCounted(name);
    const type = breakCycle(name, state.readType(definitions.get(name) ?? {}), expand);
    state.counting.isOn = isOn;
    made.set(name, type);
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
    counting: { isOn: false },
    budget: { steps: stepsAtMost },
  };
  // Second pass: types that were used while they were being created are complete now.
  for (const name of definitions.keys()) expand(name);
  if (isRecursive) [firstPass, made] = [made, new Map()];
  return state;
}

// TypeScript rejects a type that refers to itself other than through a member or an item (`type A = A | string`).
// Such a member is removed from a union, because it adds no values; any other type becomes unknown.
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
  const others = type.kind === 'union' ? type.members.filter((member) => !leadsBack(member)) : [];
  return others.length === 0 ? unknownType : joinTypes(others);
}
