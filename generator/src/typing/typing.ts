import {
  type CanonicalSchema,
  type DefinitionName,
  type Definitions,
  isNothing,
  visitParts,
} from '../../../specs/src/index.ts';
import { readArrayKeywords, readObjectKeywords, readPropertyNames } from './child-applicators.ts';
import { createFinalise, type Finalise } from './finalise.ts';
import { readAllOf, readAnyOf, readConditional, readDependents, readNot, readOneOf } from './in-place-applicators.ts';
import { readLimits } from './inexact.ts';
import { intersect } from './intersect.ts';
import { createTypingState, type TypingState } from './named-types.ts';
import { literalType, neverType, type TsType, unknownType } from './ts-type.ts';
import { readUnevaluated } from './unevaluated.ts';
import { joinTypes, typesByName } from './unions.ts';

/** Types for the schemas of one document. */
export type Typing = {
  readType(schema: CanonicalSchema, options: { readonly isCounted: boolean }): TsType;
  /** Returns the type of a definition for its declaration. */
  declared(name: DefinitionName): TsType;
  /** Makes a type printable. */
  readonly finalise: Finalise;
  /** True if the document required more merging than the budget allows. */
  isExhausted(): boolean;
};

/** Creates types for the schemas of one document. Definitions that `uncounted` refers to don't include the lengths of arrays. */
export function createTyping(definitions: Definitions, uncounted: readonly CanonicalSchema[]): Typing {
  const names = listNames(uncounted, definitions);
  const state = createTypingState(definitions, narrow, (name) => !names.has(name));
  return {
    readType(schema, { isCounted }) {
      state.counting.isOn = isCounted;
      return state.readType(schema);
    },
    declared: (name) => state.expand(name) ?? unknownType,
    finalise: createFinalise(state),
    isExhausted: () => state.budget.steps <= 0,
  };
}

/** Lists every definition that the schemas refer to, directly or indirectly. */
function listNames(schemas: readonly CanonicalSchema[], definitions: Definitions): ReadonlySet<DefinitionName> {
  const names = new Set<DefinitionName>();
  const pending = new Set(schemas);
  // The loop also visits parts that are added while it runs.
  for (const schema of pending) {
    const { ref } = schema;
    const target = ref === undefined ? undefined : definitions.get(ref);
    if (ref !== undefined) names.add(ref);
    if (target !== undefined) pending.add(target);
    visitParts(schema, (part) => pending.add(part));
  }
  return names;
}

/** Reads the type of a keyword; undefined if the schema doesn't have it. */
type Statement = (schema: CanonicalSchema, state: TypingState) => TsType | undefined;
/** Narrows a type by a keyword. */
type Narrowing = (schema: CanonicalSchema, base: TsType, state: TypingState) => TsType;

// The type of a schema is the intersection of its keywords. The order decides whose field order and documentation come first:
// a schema's own keywords before those of its branches. Keywords that remove values come last, when the type is most precise.
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
