import {
  type CanonicalSchema,
  type DefinitionName,
  type Definitions,
  isNothing,
  visitParts,
} from '../../../specs/src/index.ts';
import { readArrayKeywords, readObjectKeywords, readPropertyNames } from './child-applicators.ts';
import { createFinalise } from './finalise.ts';
import { readAllOf, readAnyOf, readConditional, readDependents, readNot, readOneOf } from './in-place-applicators.ts';
import { readLimits } from './inexact.ts';
import { intersect } from './intersect.ts';
import { createTypingState, type TypingState } from './named-types.ts';
import { literalType, neverType, type TsType, unknownType } from './ts-type.ts';
import { readUnevaluated } from './unevaluated.ts';
import { joinTypes, typesByName } from './unions.ts';

export type Typing = ReturnType<typeof createTyping>;

/** Types of one document's schemas. Lists are counted in the definitions that `uncounted` schemas do not lead to. */
export function createTyping(definitions: Definitions, uncounted: readonly CanonicalSchema[]) {
  const names = listNames(uncounted, definitions);
  const state = createTypingState(definitions, narrow, (name) => !names.has(name));
  return {
    readType(schema: CanonicalSchema, { isCounted }: { readonly isCounted: boolean }): TsType {
      state.counting.isOn = isCounted;
      return state.readType(schema);
    },
    /** The type of a definition, as it can be declared. */
    declared: (name: DefinitionName): TsType => state.expand(name) ?? unknownType,
    /** A type as it is printed. */
    finalise: createFinalise(state),
    /** True if the document required more merging than the budget allows. */
    isExhausted: (): boolean => state.budget.steps <= 0,
  };
}

/** Every definition that schemas lead to. */
function listNames(schemas: readonly CanonicalSchema[], definitions: Definitions): ReadonlySet<DefinitionName> {
  const names = new Set<DefinitionName>();
  const pending = new Set(schemas);
  // Parts are added while the set is read.
  for (const schema of pending) {
    const { ref } = schema;
    const target = ref === undefined ? undefined : definitions.get(ref);
    if (ref !== undefined) names.add(ref);
    if (target !== undefined) pending.add(target);
    visitParts(schema, (part) => pending.add(part));
  }
  return names;
}

/** The type that a keyword states by itself; undefined when the schema lacks it. */
type Statement = (schema: CanonicalSchema, state: TypingState) => TsType | undefined;
/** The base narrowed by a keyword. */
type Narrowing = (schema: CanonicalSchema, base: TsType, state: TypingState) => TsType;

// A schema's type is what all its keywords accept. The order decides whose field order and documentation lead: a
// schema's own keywords go before those of its branches. What removes values comes last, when most is known.
const statements: readonly Statement[] = [
  ({ type }) => type && joinTypes(type.map((name) => typesByName[name])),
  ({ enum: values }) => values && joinTypes(values.map(literalType)),
  readObjectKeywords,
  readArrayKeywords,
  readPropertyNames,
  ({ ref }) => ref && { kind: 'reference', name: ref },
];
const narrowings: readonly Narrowing[] = [
  readAllOf,
  readAnyOf,
  readOneOf,
  readDependents,
  readConditional,
  readNot,
  readLimits,
  readUnevaluated,
];

function narrow(base: TsType, schema: CanonicalSchema, state: TypingState): TsType {
  if (isNothing(schema)) return neverType;
  let type = base;
  for (const read of statements) type = intersect(type, read(schema, state) ?? unknownType, state);
  for (const read of narrowings) type = read(schema, type, state);
  return type;
}
