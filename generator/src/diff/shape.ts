import {
  bundleJsonSchema,
  type CanonicalSchema,
  canonicalText,
  type JsonTypeName,
  type JsonValue,
  limitKeywords,
  nothing,
} from '../../../specs/src/index.ts';
import { type Located, locateChild, type Place } from './located-schema.ts';
import { matches } from './patterns.ts';
import { spend, type Work } from './work.ts';

export type ShapeType = Exclude<JsonTypeName, 'integer'>;
export const shapeTypes: readonly ShapeType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** A schema for the members that are named or match a pattern; with `isRest`, for all others. */
export type MemberRule = {
  readonly schema: Located;
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly string[];
  readonly isRest: boolean;
};
/** A schema for the item at an index, or for all from there. */
type ItemRule = { readonly schema: Located; readonly from: number; readonly isRest: boolean };
type ContainsRule = { readonly schema: Located; readonly least: number; readonly most: number };

/** One way in which a schema accepts values of one type: all of this applies. */
export type Shape = {
  readonly type: ShapeType;
  /** Undefined where values are not listed. */
  readonly values?: readonly JsonValue[] | undefined;
  readonly isInteger: boolean;
  readonly isUnique: boolean;
  /** The strictest of each bound, by its keyword. */
  readonly bounds: ReadonlyMap<string, number>;
  readonly patterns: readonly string[];
  readonly steps: readonly number[];
  readonly required: ReadonlySet<string>;
  readonly members: readonly MemberRule[];
  readonly items: readonly ItemRule[];
  readonly contains: readonly ContainsRule[];
  /** Values of these are not accepted. */
  readonly excluded: readonly Located[];
  /** What is compared as text. */
  readonly opaque: ReadonlySet<string>;
  /** What `unevaluatedProperties` and `unevaluatedItems` leave out. */
  readonly evaluated: { readonly members: readonly MemberRule[]; readonly items: number };
  /** The outermost alternative that was chosen. */
  readonly origin?: Located | undefined;
};

const none: ReadonlySet<string> = new Set();

export function emptyShape(type: ShapeType): Shape {
  return {
    type,
    isInteger: false,
    isUnique: false,
    bounds: new Map(),
    patterns: [],
    steps: [],
    required: none,
    members: [],
    items: [],
    contains: [],
    excluded: [],
    opaque: none,
    evaluated: { members: [], items: 0 },
  };
}

/** A shape of what both accept. */
export function intersect(one: Shape, other: Shape): Shape {
  const bounds = new Map(one.bounds);
  for (const [keyword, bound] of other.bounds) {
    const stricter = limitKeywords.get(keyword)?.end === 'least' ? Math.max : Math.min;
    bounds.set(keyword, stricter(bounds.get(keyword) ?? bound, bound));
  }
  const listed = other.values && new Set(other.values.map(canonicalText));
  const values = listed && one.values?.filter((value) => listed.has(canonicalText(value)));
  return {
    type: one.type,
    values: values ?? one.values ?? other.values,
    isInteger: one.isInteger || other.isInteger,
    isUnique: one.isUnique || other.isUnique,
    bounds,
    patterns: [...one.patterns, ...other.patterns],
    steps: [...one.steps, ...other.steps],
    required: new Set([...one.required, ...other.required]),
    members: [...one.members, ...other.members],
    items: [...one.items, ...other.items],
    contains: [...one.contains, ...other.contains],
    excluded: [...one.excluded, ...other.excluded],
    opaque: new Set([...one.opaque, ...other.opaque]),
    evaluated: {
      members: [...one.evaluated.members, ...other.evaluated.members],
      items: Math.max(one.evaluated.items, other.evaluated.items),
    },
    origin: one.origin ?? other.origin,
  };
}

const charactersPerStep = 50;

/** The shape with a part of a schema that is compared as text, with all that it refers to. */
export function noteOpaque(shape: Shape, part: CanonicalSchema, { document }: Located, work: Work): Shape {
  const text = canonicalText(bundleJsonSchema(part, document.reader.definitions()));
  spend(work, Math.ceil(text.length / charactersPerStep));
  return { ...shape, opaque: new Set([...shape.opaque, text]) };
}

/** Whether the schema's own keywords leave values of a type. */
export function takesType({ type: names, enum: values }: CanonicalSchema, type: ShapeType): boolean {
  const isNamed =
    names === undefined || names.some((name) => name === type || (name === 'integer' && type === 'number'));
  return isNamed && (values?.some((value) => readType(value) === type) ?? true);
}

/** What the schema's own keywords say of values of a type that it takes. */
export function readOwn(located: Located, type: ShapeType, work: Work): Shape {
  const { type: names, enum: listed, limits = new Map<string, JsonValue>() } = located.schema;
  const bounds = [...limits].flatMap(([keyword, value]): [string, number][] => {
    const row = limitKeywords.get(keyword);
    return row?.end !== undefined && row.type === type && typeof value === 'number' ? [[keyword, value]] : [];
  });
  const [pattern, step] = [limits.get('pattern'), limits.get('multipleOf')];
  const shape: Shape = {
    ...emptyShape(type),
    values: listed?.filter((value) => readType(value) === type) ?? (type === 'boolean' ? [true, false] : undefined),
    isInteger: names !== undefined && type === 'number' && !names.includes('number'),
    isUnique: limits.get('uniqueItems') === true,
    bounds: new Map(bounds),
    patterns: type === 'string' && typeof pattern === 'string' && pattern !== '' ? [pattern] : [],
    steps: type === 'number' && typeof step === 'number' ? [step] : [],
  };
  if (type === 'object') return readObject(shape, located, work);
  return type === 'array' ? readArray(shape, located) : shape;
}

export function readType(value: JsonValue): ShapeType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' ? 'string' : 'object';
}

/** A rule by which no value has the member. */
export function forbid(name: string, at: Located): MemberRule {
  return { schema: { ...at, schema: nothing }, names: new Set([name]), patterns: [], isRest: false };
}

function readObject(shape: Shape, located: Located, work: Work): Shape {
  const { properties = [], patternProperties = [], additionalProperties, propertyNames } = located.schema;
  const members: MemberRule[] = [];
  for (const [name, part] of properties) {
    const schema = locateChild(located, part, 'properties', name);
    members.push({ schema, names: new Set([name]), patterns: [], isRest: false });
  }
  for (const [pattern, part] of patternProperties) {
    const schema = locateChild(located, part, 'patternProperties', pattern);
    const [, name] = /^\^([\w-]+)\$$/.exec(pattern) ?? [];
    const names = new Set(name === undefined ? [] : [name]);
    members.push({ schema, names, patterns: name === undefined ? [pattern] : [], isRest: false });
  }
  if (additionalProperties !== undefined)
    members.push(describeRest(members, locateChild(located, additionalProperties, 'additionalProperties')));
  const made: Shape = {
    ...shape,
    members,
    required: new Set(located.schema.required),
    evaluated: { members, items: 0 },
  };
  if (propertyNames === undefined) return made;
  const allowed = readNames(propertyNames);
  if (allowed === undefined) return noteOpaque(made, { propertyNames }, located, work);
  return { ...made, members: [...members, { ...allowed, isRest: true, schema: { ...located, schema: nothing } }] };
}

/** A rule for all members that others leave. */
export function describeRest(members: readonly MemberRule[], schema: Located): MemberRule {
  return { schema, names: new Set(listNames({ members })), patterns: listMemberPatterns({ members }), isRest: true };
}

/** The names that a schema lists, or their pattern; undefined where it says something else. */
function readNames(schema: CanonicalSchema): Pick<MemberRule, 'names' | 'patterns'> | undefined {
  const { type, description, enum: listed, limits, ...others } = schema;
  if (Object.keys(others).length > 0 || type?.includes('string') === false) return undefined;
  if (listed !== undefined && limits === undefined) return { names: new Set(listed.map(String)), patterns: [] };
  const [[keyword, pattern] = ['pattern', ''], ...more] = limits ?? [];
  if (listed !== undefined || more.length > 0 || keyword !== 'pattern' || typeof pattern !== 'string') return undefined;
  return { names: none, patterns: [pattern] };
}

function readArray(shape: Shape, located: Located): Shape {
  const { prefixItems = [], items, contains, limits } = located.schema;
  const rules = prefixItems.map((part, from) => {
    return { schema: locateChild(located, part, 'prefixItems', from), from, isRest: false };
  });
  if (items !== undefined)
    rules.push({ schema: locateChild(located, items, 'items'), from: prefixItems.length, isRest: true });
  const evaluated = { members: [], items: items === undefined ? prefixItems.length : Number.POSITIVE_INFINITY };
  const made: Shape = { ...shape, items: rules, evaluated };
  if (contains === undefined) return made;
  const [least, most] = [limits?.get('minContains') ?? 1, limits?.get('maxContains') ?? Number.POSITIVE_INFINITY];
  const rule = { schema: locateChild(located, contains, 'contains'), least: Number(least), most: Number(most) };
  return { ...made, contains: [rule] };
}

/** The schemas that apply to the member of a name. */
export function memberPlace({ members }: Pick<Shape, 'members'>, name: string): Place {
  return members
    .filter((rule) => rule.isRest !== (rule.names.has(name) || rule.patterns.some((one) => matches(one, name))))
    .map(({ schema }) => schema);
}

/** The schemas that apply to members whose names nothing lists and only these patterns match. */
export function otherMembers({ members }: Pick<Shape, 'members'>, matched: readonly string[] = []): Place {
  return members
    .filter((rule) => rule.isRest !== rule.patterns.some((one) => one === '' || matched.includes(one)))
    .map(({ schema }) => schema);
}

/** The names that a shape's schemas list. */
export function listNames({ members }: Pick<Shape, 'members'>): string[] {
  return members.flatMap(({ names }) => [...names]);
}

export function listMemberPatterns({ members }: Pick<Shape, 'members'>): string[] {
  return members.flatMap(({ patterns }) => patterns);
}

export function itemPlace({ items }: Shape, index: number): Place {
  return items.filter(({ from, isRest }) => from === index || (isRest && from < index)).map(({ schema }) => schema);
}

/** How many first items have a schema of their own. */
export function countListed({ items }: Shape): number {
  return Math.max(0, ...items.map(({ from, isRest }) => (isRest ? from : from + 1)));
}
