import type { CanonicalSchema, DefinitionName, Definitions } from '../../../specs/src/index.ts';
import { type TypeModel, unknownType } from './type-model.ts';
import { joinTypes } from './unions.ts';

/** State of a document that reading and combining its types needs. */
export type TypingState = {
  readType(schema: CanonicalSchema): TypeModel;
  /** Narrows a known type by a schema. */
  narrow(base: TypeModel, schema: CanonicalSchema): TypeModel;
  /** The type behind a name; undefined while that type is being made. */
  expand(name: DefinitionName): TypeModel | undefined;
  /** As `expand`; while the type is being made, the result of the first pass, if there was one. */
  readShape(name: DefinitionName): TypeModel | undefined;
  /** Types that each name is being intersected with, to stop at a pair that occurs again. */
  readonly intersecting: Map<DefinitionName, Set<TypeModel | DefinitionName>>;
  /** The same for differences. */
  readonly subtracting: Map<TypeModel | DefinitionName, Set<TypeModel | DefinitionName>>;
  /** True if the type of a list shows its number of items. */
  readonly counting: { isOn: boolean };
  /** Steps left: a document can require exponentially many. */
  readonly budget: { steps: number };
};

const stepsAtMost = 100_000;
/** A longer chain of names is printed as intersections. */
const chainsAtMost = 100;

type Narrow = (base: TypeModel, schema: CanonicalSchema, state: TypingState) => TypeModel;

/** The named types of a document, each made once. */
export function createTypingState(
  definitions: Definitions,
  narrow: Narrow,
  isCounted: (name: DefinitionName) => boolean,
): TypingState {
  let made = new Map<DefinitionName, TypeModel | undefined>();
  let firstPass: ReadonlyMap<DefinitionName, TypeModel | undefined> = new Map();
  let isRecursive = false;
  let depth = 0;
  const expand = (name: DefinitionName): TypeModel | undefined => {
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
function breakCycle(name: DefinitionName, type: TypeModel, expand: TypingState['expand']): TypeModel {
  const leadsBack = (from: TypeModel, seen = new Set<TypeModel | DefinitionName>()): boolean => {
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
