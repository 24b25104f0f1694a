import {
  type CanonicalSchema,
  canonicalText,
  findText,
  isNothing,
  type JsonTypeName,
  type JsonValue,
  limitKeywords,
  linearPattern,
  nothing,
  type Work,
} from '../../../specs/src/index.ts';
import { isClosed, type Located, locateChild, type Place, printSchema } from './documents.ts';

export type ShapeType = Exclude<JsonTypeName, 'integer'>;
export const shapeTypes: readonly ShapeType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** One way in which a schema accepts values of one type: all of this applies. */
export type Shape = {
  readonly type: ShapeType;
  /** Each is read by its own keywords, not by what it refers to or includes. */
  readonly schemas: readonly Located[];
  /** Undefined where values are not listed. */
  readonly values?: readonly JsonValue[] | undefined;
  /** Values of these are not accepted. */
  readonly excluded: readonly Located[];
  /** What is compared as text. */
  readonly opaque: ReadonlySet<string>;
  /** The outermost alternative that was chosen. */
  readonly origin?: Located | undefined;
};

export function emptyShape(type: ShapeType): Shape {
  return { type, schemas: [], excluded: [], opaque: new Set() };
}

/** A shape of what both accept. */
export function intersect(one: Shape, other: Shape): Shape {
  const listed = other.values && new Set(other.values.map(canonicalText));
  const values = listed && one.values?.filter((value) => listed.has(canonicalText(value)));
  return {
    type: one.type,
    schemas: [...one.schemas, ...other.schemas],
    values: values ?? one.values ?? other.values,
    excluded: [...one.excluded, ...other.excluded],
    opaque: new Set([...one.opaque, ...other.opaque]),
    origin: one.origin ?? other.origin,
  };
}

/** The shape with a further schema. */
export function assert(shape: Shape, at: Located, schema: CanonicalSchema): Shape {
  return { ...shape, schemas: [...shape.schemas, { ...at, schema }] };
}

/** The shape without values that have the member. */
export function forbid(shape: Shape, at: Located, name: string): Shape {
  return assert(shape, at, { properties: new Map([[name, nothing]]) });
}

/** The shape with a part of a schema that is compared as text. */
export function noteOpaque(shape: Shape, schema: CanonicalSchema, at: Located, work: Work): Shape {
  return { ...shape, opaque: new Set([...shape.opaque, printSchema({ ...at, schema }, work)]) };
}

/** Whether the schema's own keywords leave values of a type. */
export function takesType({ type: names, enum: values }: CanonicalSchema, type: ShapeType): boolean {
  const isNamed =
    names === undefined || names.some((name) => name === type || (name === 'integer' && type === 'number'));
  return isNamed && (values?.some((value) => readType(value) === type) ?? true);
}

/** The shape of a schema's own keywords, for a type that it takes. */
export function readOwn(located: Located, type: ShapeType, work: Work): Shape {
  const { enum: listed, propertyNames } = located.schema;
  const values =
    listed?.filter((value) => readType(value) === type) ?? (type === 'boolean' ? [true, false] : undefined);
  const shape = { ...emptyShape(type), schemas: [located], values };
  const isOpaque = type === 'object' && propertyNames !== undefined && readNames(propertyNames) === undefined;
  return isOpaque ? noteOpaque(shape, { propertyNames }, located, work) : shape;
}

export function readType(value: JsonValue): ShapeType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' ? 'string' : 'object';
}

/** The values of a keyword in all schemas of a shape. */
export function readLimits({ schemas }: Shape, keyword: string): JsonValue[] {
  return schemas.flatMap(({ schema }) => schema.limits?.get(keyword) ?? []);
}

/** A schema for the members that are named or match a pattern; with `isRest`, for all others. */
type MemberRule = {
  readonly schema: Located;
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
  readonly isRest: boolean;
};
/** What the schemas of a shape say of members. */
type Members = {
  readonly required: ReadonlySet<string>;
  /** All that are listed, for a schema of their own or as those that others are not. */
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
  /** The schemas of those that have their own. */
  readonly named: ReadonlyMap<string, readonly Located[]>;
  /** What has to be looked at for each name: patterns, and what is said of all others. */
  readonly general: readonly MemberRule[];
};
const known = new WeakMap<Shape, Members>();
const none: ReadonlySet<string> = new Set();

export function readMembers(shape: Shape): Members {
  const found = known.get(shape);
  if (found !== undefined) return found;
  const rules = shape.schemas.flatMap(listRules);
  const named = new Map<string, Located[]>();
  for (const { names, patterns, isRest, schema } of rules)
    if (!isRest && patterns.length === 0)
      for (const name of names) named.set(name, [...(named.get(name) ?? []), schema]);
  const made = {
    required: new Set(shape.schemas.flatMap(({ schema }) => schema.required ?? [])),
    names: new Set(rules.flatMap(({ names }) => [...names])),
    patterns: rules.flatMap(({ patterns }) => patterns),
    named,
    general: rules.filter(({ isRest, patterns }) => isRest || patterns.length > 0),
  };
  known.set(shape, made);
  return made;
}

function listRules(located: Located): MemberRule[] {
  const { properties = [], patternProperties = [], additionalProperties, propertyNames } = located.schema;
  const rules: MemberRule[] = [];
  for (const [name, part] of properties) {
    const schema = locateChild(located, part, 'properties', name);
    rules.push({ schema, names: new Set([name]), patterns: [], isRest: false });
  }
  for (const [pattern, part] of patternProperties) {
    const schema = locateChild(located, part, 'patternProperties', pattern);
    const [, name] = /^\^([\w-]+)\$$/.exec(pattern) ?? [];
    const names = new Set(name === undefined ? [] : [name]);
    rules.push({ schema, names, patterns: name === undefined ? [pattern] : [], isRest: false });
  }
  if (additionalProperties !== undefined) {
    const [names, patterns] = [rules.flatMap((rule) => [...rule.names]), rules.flatMap((rule) => rule.patterns)];
    const schema = locateChild(located, additionalProperties, 'additionalProperties');
    rules.push({ schema, names: new Set(names), patterns, isRest: true });
  }
  const allowed = propertyNames && readNames(propertyNames);
  return allowed ? [...rules, { ...allowed, isRest: true, schema: { ...located, schema: nothing } }] : rules;
}

/** The names that a schema lists, or their pattern; undefined where it says something else. */
function readNames(schema: CanonicalSchema): Pick<MemberRule, 'names' | 'patterns'> | undefined {
  if (isNothing(schema)) return { names: none, patterns: [] };
  const { type, description, enum: listed, limits, ...others } = schema;
  if (Object.keys(others).length > 0 || type?.includes('string') === false) return undefined;
  if (listed !== undefined && limits === undefined) return { names: new Set(listed.map(String)), patterns: [] };
  const [[keyword, pattern] = ['pattern', ''], ...more] = limits ?? [];
  if (listed !== undefined || more.length > 0 || keyword !== 'pattern' || typeof pattern !== 'string') return undefined;
  return { names: none, patterns: [pattern] };
}

/** The schemas that apply to the member of a name. */
export function memberPlace(shape: Shape, name: string): Place {
  const { named, general } = readMembers(shape);
  const others = general.filter(
    (rule) => rule.isRest !== (rule.names.has(name) || rule.patterns.some((one) => matches(one, name))),
  );
  const { true: rest = [], false: matched = [] } = Object.groupBy(others, ({ isRest }) => String(isRest));
  // What closes an object says most of it.
  return [...rest.map(({ schema }) => schema), ...(named.get(name) ?? []), ...matched.map(({ schema }) => schema)];
}

/** The schemas that apply to members whose names nothing lists and only these patterns match. */
export function otherMembers(shape: Shape, matched: readonly string[] = []): Place {
  return readMembers(shape)
    .general.filter((rule) => rule.isRest !== rule.patterns.some((one) => one === '' || matched.includes(one)))
    .map(({ schema }) => schema);
}

export function itemPlace({ schemas }: Shape, index: number): Place {
  return schemas.flatMap((located) => {
    const { prefixItems = [], items } = located.schema;
    const [own] = prefixItems.slice(index, index + 1);
    if (own !== undefined) return [locateChild(located, own, 'prefixItems', index)];
    return items === undefined ? [] : [locateChild(located, items, 'items')];
  });
}

/** How many first items have a schema of their own. */
export function countListed({ schemas }: Shape): number {
  return Math.max(0, ...schemas.map(({ schema }) => schema.prefixItems?.length ?? 0));
}

const rangeAtMost = 50;

/** The values of a shape that has few. */
export function listValues(shape: Shape): readonly JsonValue[] | undefined {
  if (shape.values !== undefined) return shape.values.filter((value) => isWithin(value, shape));
  if (shape.type === 'null') return [null];
  if (!isInteger(shape)) return undefined;
  const [[least], [most]] = [readEnd(shape, 'minimum'), readEnd(shape, 'maximum')];
  const count = Math.max(0, -most - least + 1);
  if (count > rangeAtMost) return undefined;
  return Array.from({ length: count }, (_, index) => least + index).filter((value) => isWithin(value, shape));
}

const textsOf = new WeakMap<readonly JsonValue[], ReadonlySet<string>>();

export function isListed({ values }: Shape, listed: readonly JsonValue[]): boolean {
  const texts = textsOf.get(listed) ?? new Set(listed.map(canonicalText));
  textsOf.set(listed, texts);
  return values?.every((value) => texts.has(canonicalText(value))) ?? false;
}

export function isInteger({ type, schemas }: Shape): boolean {
  return type === 'number' && schemas.some(({ schema }) => schema.type?.includes('number') === false);
}

/** The strictest of a bound; without one, what bounds nothing. */
function readBound(shape: Shape, keyword: string): number {
  const bounds = readLimits(shape, keyword).map(Number);
  return limitKeywords.get(keyword)?.end === 'least' ? Math.max(...bounds) : Math.min(...bounds);
}

type End = readonly [reach: number, isOpen: boolean];

/** An end of the numbers that a shape accepts; `reach` grows as they become fewer. Integers begin at the next one. */
function readEnd(shape: Shape, end: 'minimum' | 'maximum', isWhole = isInteger(shape)): End {
  const [sign, exclusive] = end === 'minimum' ? [1, 'exclusiveMinimum'] : [-1, 'exclusiveMaximum'];
  const [reach, open] = [sign * readBound(shape, end), sign * readBound(shape, exclusive)];
  if (isWhole) return [Math.max(Math.ceil(reach), Math.floor(open) + 1), false];
  return open >= reach ? [open, Number.isFinite(open)] : [reach, false];
}

/** The sizes that a text, list or object may have. */
export function readSizes(shape: Shape): { readonly least: number; readonly most: number } {
  const unit = { string: 'Length', array: 'Items', object: 'Properties' }[String(shape.type)] ?? '';
  const least = Math.max(
    readBound(shape, `min${unit}`),
    shape.type === 'object' ? readMembers(shape).required.size : 0,
  );
  const most = readBound(shape, `max${unit}`);
  if (shape.type === 'array') {
    const indexes = Array.from({ length: countListed(shape) + 1 }, (_, index) => index);
    return { least, most: Math.min(most, indexes.find((index) => isClosed(itemPlace(shape, index))) ?? most) };
  }
  if (shape.type !== 'object' || !isClosed(otherMembers(shape)) || readMembers(shape).patterns.length > 0)
    return { least, most };
  const open = [...readMembers(shape).names].filter((name) => !isClosed(memberPlace(shape, name)));
  return { least, most: Math.min(most, open.length) };
}

/** Whether a shape accepts no value, as far as it says so itself. */
export function isEmpty(shape: Shape): boolean {
  if (shape.values !== undefined) return !shape.values.some((value) => isWithin(value, shape));
  if (shape.type === 'number') return readEnd(shape, 'minimum')[0] > -readEnd(shape, 'maximum')[0];
  const { least, most } = readSizes(shape);
  return (
    least > most ||
    (shape.type === 'object' && [...readMembers(shape).required].some((name) => isClosed(memberPlace(shape, name))))
  );
}

/** Whether a value keeps the bounds of a shape; what is inside it is not looked at. */
export function isWithin(value: JsonValue, shape: Shape): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return isNumberWithin(value, shape);
  const { least, most } = readSizes(shape);
  const size = typeof value === 'string' ? [...value].length : Object.keys(value).length;
  if (size < least || size > most) return false;
  return typeof value !== 'string' || readLimits(shape, 'pattern').every((pattern) => matches(String(pattern), value));
}

function isNumberWithin(value: number, shape: Shape): boolean {
  if (isInteger(shape) && !Number.isInteger(value)) return false;
  const keeps = ([reach, isOpen]: End, own: number): boolean => (isOpen ? own > reach : own >= reach);
  if (!keeps(readEnd(shape, 'minimum', false), value) || !keeps(readEnd(shape, 'maximum', false), -value)) return false;
  return readLimits(shape, 'multipleOf').every((step) => value === 0 || isMultiple(Math.abs(value), Number(step)));
}

/** Whether all values of a shape keep the bounds of another one. */
export function fitsBounds(shape: Shape, other: Shape): boolean {
  if (shape.type === 'number') return fitsNumbers(shape, other);
  const [own, theirs] = [readSizes(shape), readSizes(other)];
  const patterns = ['', ...readLimits(shape, 'pattern').map(String)];
  const hasPattern = (wide: string): boolean =>
    shape.type === 'string' && patterns.some((narrow) => includesPattern(wide, narrow));
  // A pattern may bound the length too.
  if (own.least < theirs.least && !hasPattern(`^[^]{${theirs.least}}`)) return false;
  if (own.most > theirs.most && !hasPattern(`^[^]{0,${theirs.most}}$`)) return false;
  const isUnique = (one: Shape): boolean => readLimits(one, 'uniqueItems').includes(true);
  if (shape.type === 'array') return !isUnique(other) || isUnique(shape) || own.most <= 1;
  return shape.type !== 'string' || readLimits(other, 'pattern').every((wide) => hasPattern(String(wide)));
}

function fitsNumbers(shape: Shape, other: Shape): boolean {
  const [steps, others] = [shape, other].map((one) => readLimits(one, 'multipleOf').map(Number));
  const isWhole = isInteger(shape) || steps?.some(Number.isInteger) === true;
  if (isInteger(other) && !isWhole) return false;
  const reaches = (['minimum', 'maximum'] as const).every((end) => {
    const [[own, isOpen], [theirs, isOpener]] = [readEnd(shape, end, isWhole), readEnd(other, end, isWhole)];
    return own > theirs || (own === theirs && (isOpen || !isOpener));
  });
  const keepsStep = (wide: number): boolean =>
    (isWhole && isMultiple(1, wide)) || steps?.some((narrow) => isMultiple(narrow, wide)) === true;
  return reaches && others?.every(keepsStep) === true;
}

/** Whether no size or number is in the bounds of both. */
export function areBoundsApart(shape: Shape, other: Shape): boolean {
  if (shape.type !== 'number') return readSizes(shape).least > readSizes(other).most;
  return readEnd(shape, 'minimum', false)[0] > -readEnd(other, 'maximum', false)[0];
}

// Floating point is inexact: 0.3 / 0.1 is a little less than 3.
export function isMultiple(large: number, small: number): boolean {
  const ratio = large / small;
  return Math.round(ratio) >= 1 && Math.abs(ratio - Math.round(ratio)) < 1e-9 * ratio;
}

const matchers = new Map<string, (text: string) => boolean>();
const matchersAtMost = 2_000;

/** Whether a pattern matches a text; one that no matcher reads matches none. */
export function matches(pattern: string, text: string): boolean {
  const known = matchers.get(pattern) ?? linearPattern(pattern) ?? (() => false);
  if (matchers.size > matchersAtMost) matchers.clear();
  matchers.set(pattern, known);
  return known(text);
}

const limits = { size: 400, states: 3_000 };

/** Whether every text that `narrow` matches is matched by `wide`; false where that was not found out. */
function includesPattern(wide: string, narrow: string): boolean {
  return wide === narrow || wide === '' || !mayMatch([narrow], [wide]);
}

/** Whether there is a text that all of some patterns match and none of others; true also where that was not found out. */
export function mayMatch(matched: readonly string[], others: readonly string[]): boolean {
  const { text, isComplete } = findText({ all: matched, none: others }, limits);
  return text !== undefined || !isComplete;
}
