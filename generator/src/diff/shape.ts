import {
  type CanonicalSchema,
  canonicalText,
  isNothing,
  type JsonTypeName,
  type JsonValue,
  nothing,
  type Work,
} from '../../../specs/src/index.ts';
import { type Located, locateChild, type Place, printSchema } from './located-schema.ts';
import { matches } from './patterns.ts';

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
