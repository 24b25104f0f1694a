import type { CanonicalSchema, DefinitionName, Definitions } from '../../../specs/src/index.ts';
import { type TsType, unknownType } from './ts-type.ts';
import { joinTypes } from './unions.ts';

/** State of a document that reading and combining its types needs. */
export type TypingState = {
  readType(schema: CanonicalSchema): TsType;
  /** Narrows a known type by a schema. */
  narrow(base: TsType, schema: CanonicalSchema): TsType;
  /** The type behind a name; undefined while that type is being made. */
  expand(name: DefinitionName): TsType | undefined;
  /** As `expand`; while the type is being made, the result of the first pass, if there was one. */
  readShape(name: DefinitionName): TsType | undefined;
  /** Types that each name is being intersected with, to stop at a pair that occurs again. */
  readonly intersecting: Map<DefinitionName, Set<TsType | DefinitionName>>;
  /** The same for differences. */
  readonly subtracting: Map<TsType | DefinitionName, Set<TsType | DefinitionName>>;
  /** True if the type of a list shows its number of items. */
  readonly counting: { isOn: boolean };
  /** Steps left: a document can require exponentially many. */
  readonly budget: { steps: number };
};

const stepsAtMost = 100_000;
/** A longer chain of names is printed as intersections. */
const chainsAtMost = 100;

type Narrow = (base: TsType, schema: CanonicalSchema, state: TypingState) => TsType;

/** The named types of a document, each made once. */
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
  // In the second pass, types that were needed while they were being made are known.
  for (const name of definitions.keys()) expand(name);
  if (isRecursive) [firstPass, made] = [made, new Map()];
  return state;
}

// TypeScript refuses a name that leads to itself other than through a member or an item (`type A = A | string`).
// A union loses that member, which adds no value to it; anything else becomes unknown.
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
