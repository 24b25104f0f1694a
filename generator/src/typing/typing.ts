import {
  type CanonicalSchema,
  type DefinitionName,
  type Definitions,
  isNothing,
  schemasReached,
} from '../../../specs/src/index.ts';
import {
  readAllOf,
  readAnyOf,
  readConditions,
  readLimits,
  readNot,
  readOneOf,
  readUnevaluated,
} from './combining-keywords.ts';
import { readArrayKeywords, readObjectKeywords, readPropertyNames } from './container-keywords.ts';
import { addMember, intersect, readObjectShape } from './intersect.ts';
import { createTypingState, type TypingState } from './named-types.ts';
import {
  collapseUniversalUnion,
  type Field,
  isInexact,
  isUnconstrained,
  joinTypes,
  makeLiteralType,
  makeObject,
  neverType,
  type ObjectType,
  openObject,
  type TsType,
  typesByName,
  unevaluatedType,
  unknownType,
} from './ts-type.ts';

/** Types for the schemas of one document. */
export type Typing = {
  readType(schema: CanonicalSchema, options: { readonly includesArrayLengths: boolean }): TsType;
  /** Returns the type of a definition for its declaration. */
  declared(name: DefinitionName): TsType;
  /** Removes the internal marks of a type and adjusts its unions, so that it can be printed as TypeScript. */
  finalise(type: TsType): TsType;
  /** True if merging the schemas used up the budget of steps. */
  isExhausted(): boolean;
};

/**
 * Creates types for the schemas of one document. Array types omit the lengths of arrays in every definition that
 * `schemasWithoutLengths` refer to, directly or indirectly.
 */
export function createTyping(definitions: Definitions, schemasWithoutLengths: readonly CanonicalSchema[]): Typing {
  const reached = [...schemasReached(schemasWithoutLengths, definitions)];
  const names = new Set(reached.flatMap(({ ref }) => ref ?? []));
  const state = createTypingState(definitions, narrow, (name) => !names.has(name));
  return {
    readType(schema, { includesArrayLengths }) {
      state.arrayLengths.areIncluded = includesArrayLengths;
      return state.readType(schema);
    },
    declared: (name) => state.expand(name) ?? unknownType,
    finalise: createFinalise(state),
    isExhausted: () => state.budget.steps <= 0,
  };
}

/** Reads the type that a keyword defines by itself; undefined if the schema doesn't have the keyword. */
type KeywordReader = (schema: CanonicalSchema, state: TypingState) => TsType | undefined;
/** Narrows the type read so far by a keyword that depends on it. */
type KeywordNarrowing = (schema: CanonicalSchema, base: TsType, state: TypingState) => TsType;

// The type of a schema is the intersection of its keywords. The order decides whose field order and documentation come first:
// a schema's own keywords before those of its branches. Keywords that remove values come last, when the type is most precise.
const readers: readonly KeywordReader[] = [
  ({ type }) => type && joinTypes(type.map((name) => typesByName[name])),
  ({ enum: values }) => values && joinTypes(values.map(makeLiteralType)),
  readObjectKeywords,
  readArrayKeywords,
  readPropertyNames,
  ({ ref }) => ref && { kind: 'reference', name: ref },
];
const narrowings: readonly KeywordNarrowing[] = [
  readAllOf,
  readAnyOf,
  readOneOf,
  readConditions,
  readNot,
  readLimits,
  readUnevaluated,
];

function narrow(base: TsType, schema: CanonicalSchema, state: TypingState): TsType {
  if (isNothing(schema)) return neverType;
  let type = base;
  for (const read of readers) type = intersect(type, read(schema, state) ?? unknownType, state);
  for (const narrowBy of narrowings) type = narrowBy(schema, type, state);
  return type;
}

/** Creates the function `finalise`. It adjusts unions for excess properties and removes marks that only merging needs. */
function createFinalise(state: TypingState): Typing['finalise'] {
  const known = new Map<TsType, TsType>();
  const finalise = (type: TsType): TsType => {
    const result = known.get(type) ?? finaliseParts(type);
    known.set(type, result);
    return result;
  };
  const finaliseObject = ({ fields, patterns, rest, title }: ObjectType): ObjectType => ({
    kind: 'object',
    title,
    fields: new Map([...fields].map(([name, field]) => [name, { ...field, type: finalise(field.type) }])),
    patterns: patterns.map((pattern) => ({ ...pattern, type: finalise(pattern.type) })),
    rest: finalise(rest),
  });
  const finaliseParts = (type: TsType): TsType => {
    switch (type.kind) {
      case 'scalar':
      case 'literal':
        return isInexact(type) ? { ...type, inexact: false } : type;
      case 'array':
        return { ...type, prefix: type.prefix.map(finalise), rest: finalise(type.rest), inexact: false };
      case 'intersection': {
        // Objects without constraints were only added to mark the intersection as inexact.
        const constraining = type.members.filter((member) => member.kind !== 'object' || !isUnconstrained(member));
        const printable = keepCompilable(constraining, state);
        const [only] = printable;
        if (printable.length === 1 && only !== undefined) return finalise(only);
        const members = printable.map((member) =>
          member.kind === 'object' ? finaliseObject(member) : finalise(member),
        );
        return { kind: 'intersection', members };
      }
      case 'union':
        return collapseUniversalUnion(joinTypes(allowExcessProperties(type.members, state).map(finalise)));
      case 'object': {
        // An object without described members is open, because no name could be a misspelling.
        const isVague = type.rest === unevaluatedType && [...type.fields.values()].every((field) => field.unevaluated);
        return finaliseObject(isVague ? { ...type, rest: unknownType } : type);
      }
      default:
        return type;
    }
  };
  return finalise;
}

// TypeScript expands intersections of unions: with 10,000 alternatives it takes seconds, and with 100,000 it fails.
const maxAlternatives = 1000;

/** Removes members that make an intersection too complex for TypeScript. The result accepts more values, never fewer. */
function keepCompilable(members: readonly TsType[], state: TypingState): readonly TsType[] {
  const known = new Map<TsType, number>();
  const count = (type: TsType): number => {
    const counted = known.get(type);
    if (counted !== undefined) return counted;
    known.set(type, 1); // A recursive type counts once.
    let found = 1;
    if (type.kind === 'reference') found = count(state.expand(type.name) ?? unknownType);
    else if (type.kind === 'union') found = type.members.reduce((sum, one) => sum + count(one), 0);
    else if (type.kind === 'intersection') found = type.members.reduce((product, one) => product * count(one), 1);
    known.set(type, found);
    return found;
  };
  let product = 1;
  return members.filter((member, index) => {
    product *= count(member);
    return product <= maxAlternatives || index === 0;
  });
}

/** Maximum number of pairs of members that are compared. */
const maxPairs = 100_000;
/** Maximum numbers of keys that are added to the closed and to the weak members of a union (see below). */
const maxKeys = { closed: 20_000, weak: 1000 };

/**
 * Adjusts a union of objects to two rules of TypeScript. First, an object literal may have keys of any member of the
 * union. So a closed member gets the keys of the others as `key?: never`, unless the two exclude each other anyway.
 * Second, TypeScript rejects an object that shares no key with a weak type (one with only optional fields). So a weak
 * member gets the keys of the others with the type `unknown`.
 */
function allowExcessProperties(members: readonly TsType[], state: TypingState): readonly TsType[] {
  const shapes = members.map((type) => readObjectShape(type, state));
  const objects = shapes.filter((shape) => shape !== undefined);
  if (objects.length < 2) return members;
  const listKeys = (of: readonly ObjectType[]): string[] => [
    ...new Set(of.flatMap(({ fields }) => [...fields.keys()])),
  ];
  const keys = listKeys(objects);
  const isClosed = ({ patterns, rest }: ObjectType): boolean => rest.kind === 'never' && patterns.length === 0;
  const isWeak = ({ fields, patterns, rest }: ObjectType): boolean => {
    const isOpenEnded = rest === unevaluatedType && patterns.length === 0;
    return isOpenEnded && fields.size > 0 && ![...fields.values()].some((one) => one.required);
  };
  const acceptsAnyKey = ({ fields, patterns, rest }: ObjectType): boolean =>
    patterns.length > 0 || (rest === unevaluatedType ? fields.size === 0 : rest.kind !== 'never');
  const isAnyOpen = objects.some(acceptsAnyKey);
  const closed = objects.filter(isClosed).length;
  const closes = closed * objects.length <= maxPairs && closed * keys.length <= maxKeys.closed;
  const opens = objects.filter(isWeak).length * keys.length <= maxKeys.weak;
  const open = (shape: ObjectType): ObjectType => ({ ...shape, rest: unevaluatedType, patterns: [] });
  const overlap = (one: ObjectType, other: ObjectType): boolean =>
    intersect(open(one), open(other), state).kind !== 'never';
  return members.map((type, index) => {
    const shape = shapes[index];
    if (shape !== undefined && isClosed(shape) && closes) {
      const others = objects.filter((other) => other !== shape && overlap(shape, other));
      return withOptional(type, shape, listKeys(others), neverType);
    }
    if (shape === undefined || !isWeak(shape) || !opens) return type;
    // If one member accepts any key, TypeScript can't report misspelt keys, so all members can stay open.
    if (isAnyOpen) return type.kind === 'object' ? { ...type, rest: unknownType } : addMember(type, openObject);
    return withOptional(type, shape, keys, unknownType);
  });
}

/** Adds the keys that `shape` doesn't have yet as optional members. */
function withOptional(type: TsType, shape: ObjectType, keys: readonly string[], memberType: TsType): TsType {
  const names = keys.filter((name) => !shape.fields.has(name));
  if (names.length === 0) return type;
  const fields = names.map((name): Field => ({ name, required: false, type: memberType, docs: {} }));
  if (type.kind !== 'object') return addMember(type, makeObject(fields));
  return { ...type, fields: new Map([...type.fields, ...fields.map((field) => [field.name, field] as const)]) };
}
