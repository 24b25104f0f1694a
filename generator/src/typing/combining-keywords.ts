import { type CanonicalSchema, type Discriminator, isNothing, limitKeywords } from '../../../specs/src/index.ts';
import { intersect, intersectAll, narrowNamed, readObjectShape } from './intersect.ts';
import type { TypingState } from './named-types.ts';
import { subtract, subtractAll } from './subtract.ts';
import {
  anyObject,
  classify,
  everyJsonKind,
  everything,
  type Field,
  isSingle,
  joinTypes,
  type Kind,
  listMembers,
  makeLiteralType,
  makeObject,
  measureType,
  neverType,
  type ObjectType,
  type TsType,
  unevaluatedType,
  unknownType,
} from './ts-type.ts';

// Each exported function narrows `base`, the type from the keywords read before, by one keyword of the schema.

/** Applies `allOf`. Parts that remove values are applied last, when the type is most precise. */
export function readAllOf({ allOf }: CanonicalSchema, base: TsType, state: TypingState): TsType {
  if (allOf === undefined) return base;
  const merged = intersectAll([base, ...allOf.filter((part) => !removesValues(part)).map(state.readType)], state);
  return allOf.filter(removesValues).reduce(state.narrow, merged);
}

function removesValues(schema: CanonicalSchema): boolean {
  const { if: test, not, oneOf, unevaluatedProperties } = schema;
  // `unevaluatedProperties` only considers members that its own schema describes, so this part must be read separately.
  if (unevaluatedProperties !== undefined) return false;
  return test !== undefined || oneOf !== undefined || (not !== undefined && !isNothing(schema));
}

const maxBranches = 64;
const maxCombined = 4;

export function readAnyOf(schema: CanonicalSchema, base: TsType, state: TypingState): TsType {
  if (schema.anyOf === undefined) return base;
  const read = schema.anyOf.map(state.readType);
  const own = schema.discriminator === undefined ? read : narrowByDiscriminator(read, schema.discriminator, state);
  const branches = intersectAlternatives(base, own, schema.anyOf, state);
  // `unevaluatedProperties` allows members of every branch that matches, so combinations of branches need their own types.
  if (schema.unevaluatedProperties === undefined || branches.length > maxCombined) return joinTypes(branches);
  const combinations: TsType[] = [];
  for (const branch of branches) {
    combinations.push(branch, ...combinations.map((one) => intersect(one, branch, state)));
  }
  return joinTypes(combinations);
}

/**
 * Applies `oneOf`: removes the values from each branch that another branch also accepts. Disjoint branches stay
 * unchanged.
 */
export function readOneOf(schema: CanonicalSchema, base: TsType, state: TypingState): TsType {
  if (schema.oneOf === undefined) return base;
  const own = excludeRequired(schema.oneOf.map(state.readType), base, state);
  const branches = intersectAlternatives(base, own, schema.oneOf, state);
  const isSubtracted = branches.length > 1 && branches.length <= maxBranches;
  const exclusive = branches.map((branch, index) => {
    const others = isSubtracted ? branches.filter((_, other) => other !== index) : [];
    return others.length === 0 ? branch : subtractAll(branch, others, state).rest;
  });
  const atMost = maxAlternatives + own.flatMap(listMembers).length;
  const inclusive = limitAlternatives(joinTypes(branches), base, state, atMost);
  return limitAlternatives(joinTypes(exclusive), inclusive, state, atMost);
}

/** Intersects the base with each alternative. Objects keep the title of their alternative, or else the name of its `$ref`. */
function intersectAlternatives(
  base: TsType,
  alternatives: readonly TsType[],
  schemas: readonly CanonicalSchema[],
  state: TypingState,
): TsType[] {
  return alternatives.map((alternative, index) => {
    const type = intersect(base, alternative, state);
    const { ref, title = ref } = schemas[index] ?? {};
    return type.kind === 'object' && title !== undefined ? { ...type, title } : type;
  });
}

/**
 * Makes two alternatives exclude each other if each requires one member that the other doesn't describe: for example
 * `seconds` and `at`. A value with both members would only be valid if one of them had a wrong type, which callers
 * never intend.
 */
function excludeRequired(branches: readonly TsType[], base: TsType, state: TypingState): readonly TsType[] {
  if (branches.length > maxCombined) return branches;
  const outer = readSoleShape(base, state);
  const shapes = branches.map((branch) => readSoleShape(branch, state));
  /** Returns the only member that `one` requires and `other` doesn't describe. */
  const findOwn = (one: ObjectType, other: ObjectType): Field | undefined => {
    const [own, ...more] = [...one.fields.values()].filter(({ name, required }) => required && !other.fields.has(name));
    const outerType = own && outer?.fields.get(own.name)?.type;
    if (own === undefined || more.length > 0) return undefined;
    if (outerType === undefined) return own;
    // If the outer object allows more types for the member, values of those types stay valid.
    const exact = listMembers(own.type).map((type) => ('inexact' in type ? { ...type, inexact: false } : type));
    return subtract(outerType, joinTypes(exact), state).rest.kind === 'never' ? own : undefined;
  };
  return branches.map((branch, index) => {
    const shape = shapes[index];
    if (shape === undefined) return branch;
    // The outer object may require a tag, such as `type`, that already distinguishes the alternatives.
    const whole = outer === undefined ? shape : intersect(outer, shape, state);
    const absent = shapes.flatMap((other) => {
      if (other === undefined || other === shape || findOwn(shape, other) === undefined) return [];
      const own = findOwn(other, shape);
      const isDescribed = [...other.fields.values()].some(({ type }) => type.kind !== 'unknown');
      if (own === undefined || !isDescribed || intersect(whole, other, state).kind === 'never') return [];
      return [{ name: own.name, required: false, type: neverType }];
    });
    if (absent.length === 0) return branch;
    const narrow = (member: TsType): TsType =>
      readObjectShape(member, state) === undefined ? member : narrowNamed(member, makeObject(absent), state);
    return joinTypes(listMembers(branch).map(narrow));
  });
}

/** Returns the only object among the members of a type, if it doesn't constrain unlisted members. */
function readSoleShape(type: TsType, state: TypingState): ObjectType | undefined {
  const [shape, ...others] = listMembers(type).flatMap((member) => readObjectShape(member, state) ?? []);
  return others.length === 0 && shape?.rest === unevaluatedType && shape.patterns.length === 0 ? shape : undefined;
}

/** Narrows each branch to the discriminator values that select it. */
function narrowByDiscriminator(
  branches: readonly TsType[],
  discriminator: Discriminator,
  state: TypingState,
): TsType[] {
  return branches.map((type) => {
    const values = type.kind === 'reference' ? discriminator.values.get(type.name) : undefined;
    if (values === undefined) return type;
    const field = { name: discriminator.propertyName, required: false, type: joinTypes(values.map(makeLiteralType)) };
    const narrowed = narrowNamed(type, makeObject([field]), state);
    return narrowed.kind === 'never' ? type : narrowed; // `never`: the branch itself requires other values than the mapping.
  });
}

/** A condition: values that pass the test must also be valid against `yes`, and others against `no`. */
type Condition = { readonly test: TsType; readonly yes: TsType; readonly no?: TsType };

/** Applies `dependentRequired`, `dependentSchemas`, and `if` with `then` and `else`. */
export function readConditions(schema: CanonicalSchema, base: TsType, state: TypingState): TsType {
  const required = (names: readonly string[]): TsType =>
    makeObject(names.map((name) => ({ name, required: true, type: unknownType })));
  const conditions: Condition[] = [];
  for (const [name, names] of schema.dependentRequired ?? [])
    conditions.push({ test: required([name]), yes: required(names.filter((other) => other !== name)) });
  for (const [name, part] of schema.dependentSchemas ?? [])
    conditions.push({ test: required([name]), yes: state.readType(part) });
  if (schema.if !== undefined) {
    const { then: yes = {}, else: no = {} } = schema;
    conditions.push({ test: state.readType(schema.if), yes: state.readType(yes), no: state.readType(no) });
  }
  return conditions.reduce((type, { test, yes, no = unknownType }) => {
    const passed = intersect(type, test, state);
    const failed = removeValues(type, test, state);
    const [passedNarrowed, failedNarrowed] = [intersect(passed, yes, state), intersect(failed, no, state)];
    if (passedNarrowed === passed && failedNarrowed === failed) return type;
    return limitAlternatives(joinTypes([passedNarrowed, failedNarrowed]), type, state);
  }, base);
}

export function readNot({ not }: CanonicalSchema, base: TsType, state: TypingState): TsType {
  return not === undefined ? base : removeValues(base, state.readType(not), state);
}

const maxAlternatives = 100;
const maxParts = 100_000;

// Each condition may double the number of alternatives. Literals don't count as alternatives.
function limitAlternatives(type: TsType, base: TsType, state: TypingState, atMost: number = maxAlternatives): TsType {
  const alternatives = listMembers(type).filter(({ kind }) => kind !== 'literal');
  const isSmall = alternatives.length <= atMost && measureType(type) <= maxParts;
  return isSmall ? type : markInexact(base, everyJsonKind, state);
}

function removeValues(base: TsType, minus: TsType, state: TypingState): TsType {
  const { rest, exact } = subtract(base, minus, state);
  return exact ? rest : markInexact(rest, new Set(listKinds(minus, state)), state);
}

function listKinds(type: TsType, state: TypingState): Kind[] {
  return listMembers(type).flatMap((member): Kind[] => {
    const kind = classify(member);
    if (kind !== undefined) return [kind];
    if (member.kind === 'intersection') return ['object'];
    const expanded = member.kind === 'reference' ? state.expand(member.name) : undefined;
    return expanded === undefined ? [] : listKinds(expanded, state);
  });
}

/** Keywords that limit values, without the lengths of arrays, which types can express. */
const inexpressibleLimits = new Map(
  [...limitKeywords].filter(([word, { type, informs }]) => !informs && (type !== 'array' || word === 'uniqueItems')),
);

/** Returns `base`, marked as inexact if the schema has limits that a TypeScript type can't express. */
export function readLimits(schema: CanonicalSchema, base: TsType, state: TypingState): TsType {
  const { limits, propertyNames, contains, minItems, maxItems, items, prefixItems } = schema;
  if ((limits ?? propertyNames ?? contains ?? minItems ?? maxItems) === undefined) return base;
  const kinds = new Set<Kind>();
  for (const keyword of limits?.keys() ?? []) {
    const { type } = inexpressibleLimits.get(keyword) ?? {};
    if (type !== undefined) kinds.add(type);
  }
  const isLengthOnly = (minItems ?? maxItems) !== undefined && items === undefined && prefixItems === undefined;
  if (contains !== undefined || isLengthOnly) kinds.add('array');
  if (propertyNames !== undefined && propertyNames.enum === undefined && !isNothing(propertyNames)) kinds.add('object');
  return kinds.size === 0 ? base : markInexact(base, kinds, state);
}

/** Marks types of these kinds as inexact: the schema rejects some of their values. */
function markInexact(type: TsType, kinds: ReadonlySet<Kind>, state: TypingState): TsType {
  if (type.kind === 'unknown') return markInexact(everything, kinds, state);
  if (type.kind === 'union') return joinTypes(type.members.map((member) => markInexact(member, kinds, state)));
  if (type.kind === 'reference') {
    const expanded = state.expand(type.name);
    if (expanded === undefined || !isSingle(expanded) || !kinds.has(classify(expanded) ?? 'bytes')) return type;
    // The intersection keeps the type name of an object.
    return expanded.kind === 'object'
      ? { kind: 'intersection', members: [type, { ...anyObject, inexact: true }] }
      : markInexact(expanded, kinds, state);
  }
  if (!isSingle(type) || type.kind === 'bytes') return type;
  const kind = classify(type);
  return kind !== undefined && kinds.has(kind) ? { ...type, inexact: true } : type;
}

/**
 * Applies `unevaluatedProperties` to members that no part of the schema describes. TypeScript can't express
 * `unevaluatedItems`, which only marks arrays as inexact.
 */
export function readUnevaluated(schema: CanonicalSchema, base: TsType, state: TypingState): TsType {
  const { unevaluatedProperties, unevaluatedItems } = schema;
  const type = unevaluatedItems === undefined ? base : markInexact(base, new Set(['array']), state);
  if (unevaluatedProperties === undefined) return type;
  const members = state.readType(unevaluatedProperties);
  // The type `unknown` doesn't record which members have been evaluated.
  if (type.kind === 'unknown' && describesMembers(schema)) return markInexact(type, new Set(['object']), state);
  const close = (one: TsType): TsType => {
    if (one.kind === 'object') return closeObject(one, members);
    if (one.kind === 'union') return joinTypes(one.members.map(close));
    const expanded = one.kind === 'reference' ? state.expand(one.name) : undefined;
    const closed = expanded && close(expanded);
    return closed === undefined || closed === expanded ? one : closed;
  };
  return close(type.kind === 'unknown' ? everything : type);
}

function describesMembers(schema: CanonicalSchema): boolean {
  const { ref, anyOf, oneOf, if: test, dependentSchemas } = schema;
  const { properties, patternProperties, additionalProperties, allOf = [] } = schema;
  const keyword = ref ?? anyOf ?? oneOf ?? test ?? dependentSchemas;
  const isDirect = (keyword ?? properties ?? patternProperties ?? additionalProperties) !== undefined;
  return isDirect || allOf.some(describesMembers);
}

function closeObject(type: ObjectType, members: TsType): TsType {
  if (type.rest !== unevaluatedType) return type;
  const fields = new Map(type.fields);
  for (const [name, field] of fields) {
    if (!field.unevaluated) continue;
    const { unevaluated, ...evaluated } = field;
    if (members.kind === 'unknown') fields.set(name, evaluated);
    if (members.kind !== 'never') continue;
    if (field.required) return neverType;
    fields.set(name, { ...field, type: neverType });
  }
  return { ...type, fields, rest: members };
}
