import {
  bundleJsonSchema,
  type CanonicalSchema,
  canonicalText,
  isJsonObject,
  type JsonTypeName,
  type JsonValue,
  limitKeywords,
  printJsonSchema,
} from '../../../specs/src/index.ts';
import { childPointer, type Located, locateChild } from './located-schema.ts';
import { spend, type Work } from './work.ts';

export type ShapeType = Exclude<JsonTypeName, 'integer'>;
export const shapeTypes: readonly ShapeType[] = ['null', 'boolean', 'number', 'string', 'array', 'object'];

/** The value of a keyword, and the schema that has it. */
export type Keyword = { readonly keyword: string; readonly value: JsonValue; readonly pointer: string };
/** A schema for the member of a name, for those of a pattern, or for all others. */
export type MemberRule = { readonly schema: Located } & (
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'rest'; readonly names: ReadonlySet<string>; readonly patterns: readonly string[] }
);
/** A schema for the item at an index, or for all from there. */
type ItemRule = { readonly schema: Located; readonly from: number; readonly isRest: boolean };
type ContainsRule = { readonly schema: Located; readonly least: number; readonly most: number };

/** One way in which a schema accepts values of one type: all of this applies. */
export type Shape = {
  readonly type: ShapeType;
  /** Undefined where values are not listed. */
  readonly values?: readonly JsonValue[] | undefined;
  readonly isInteger: boolean;
  /** The strictest of each bound; of steps and patterns all. */
  readonly limits: ReadonlyMap<string, Keyword>;
  /** Names with the pointer of the schema that requires them. */
  readonly required: ReadonlyMap<string, string>;
  readonly members: readonly MemberRule[];
  readonly items: readonly ItemRule[];
  readonly contains: readonly ContainsRule[];
  /** Values of these are not accepted. */
  readonly excluded: readonly Located[];
  /** What is compared as text, by that. */
  readonly opaque: ReadonlyMap<string, Keyword>;
  /** What `unevaluatedProperties` and `unevaluatedItems` leave out. */
  readonly evaluated: { readonly members: readonly MemberRule[]; readonly items: number };
  /** The outermost alternative that was chosen. */
  readonly origin?: Located | undefined;
};

export function emptyShape(type: ShapeType): Shape {
  const none = new Map<string, never>();
  return {
    type,
    isInteger: false,
    limits: none,
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
  const limits = new Map(one.limits);
  for (const [key, limit] of other.limits) {
    const known = limits.get(key);
    if (known === undefined || isStricter(limit, known)) limits.set(key, limit);
  }
  const listed = other.values && new Set(other.values.map(canonicalText));
  return {
    type: one.type,
    values:
      listed === undefined
        ? one.values
        : (one.values?.filter((value) => listed.has(canonicalText(value))) ?? other.values),
    isInteger: one.isInteger || other.isInteger,
    limits,
    required: new Map([...one.required, ...other.required]),
    members: [...one.members, ...other.members],
    items: [...one.items, ...other.items],
    contains: [...one.contains, ...other.contains],
    excluded: [...one.excluded, ...other.excluded],
    opaque: new Map([...one.opaque, ...other.opaque]),
    evaluated: {
      members: [...one.evaluated.members, ...other.evaluated.members],
      items: Math.max(one.evaluated.items, other.evaluated.items),
    },
    origin: one.origin ?? other.origin,
  };
}

function isStricter({ keyword, value }: Keyword, known: Keyword): boolean {
  if (typeof value !== 'number' || typeof known.value !== 'number') return false;
  return limitKeywords.get(keyword)?.end === 'least' ? value > known.value : value < known.value;
}

/** The shape with a keyword that is compared as text; with a budget, what it refers to is part of the text. */
export function noteOpaque(
  shape: Shape,
  keyword: keyof CanonicalSchema | 'schema',
  { schema, document, pointer }: Located,
  work: Work | undefined,
): Shape {
  const part = keyword === 'schema' ? schema : { [keyword]: schema[keyword] };
  const printed = work === undefined ? printShallow(part) : bundleJsonSchema(part, document.reader.definitions());
  const name = keyword === 'conditional' ? 'if' : keyword;
  const value = (isJsonObject(printed) ? printed[name] : undefined) ?? printed;
  // Whether one alternative alone may match is asked, and which ones there are is compared elsewhere.
  const key = keyword === 'oneOf' ? keyword : canonicalText(printed);
  if (work !== undefined) spend(work, Math.ceil(key.length / charactersPerStep));
  return { ...shape, opaque: new Map([...shape.opaque, [key, { keyword: name, value, pointer }]]) };
}

const charactersPerStep = 50;

function printShallow(schema: CanonicalSchema): JsonValue {
  return schema.oneOf === undefined ? printJsonSchema(schema, { annotated: false, printName: String }) : true;
}

/** What the schema's own keywords say of values of a type; undefined where it accepts none of them. */
export function readOwn(located: Located, type: ShapeType, work: Work | undefined): Shape | undefined {
  const { schema } = located;
  const names = schema.type;
  if (names !== undefined && !names.some((name) => name === type || (name === 'integer' && type === 'number')))
    return undefined;
  const values = schema.enum?.filter((value) => readType(value) === type);
  if (values?.length === 0) return undefined;
  const isInteger = names !== undefined && type === 'number' && !names.includes('number');
  const limits = readLimits(located, type);
  const shape: Shape = {
    ...emptyShape(type),
    isInteger,
    limits,
    values: values ?? (type === 'boolean' ? [true, false] : undefined),
  };
  if (type === 'object') return readObject(shape, located, work);
  if (type === 'array') return readArray(shape, located, work);
  return work === undefined ? noteLiteral(shape, located, ['not', 'conditional']) : shape;
}

function noteLiteral(shape: Shape, located: Located, keywords: readonly (keyof CanonicalSchema)[]): Shape {
  return keywords.reduce(
    (made, keyword) => (located.schema[keyword] === undefined ? made : noteOpaque(made, keyword, located, undefined)),
    shape,
  );
}

export function readType(value: JsonValue): ShapeType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' ? 'string' : 'object';
}

function readLimits({ schema, pointer }: Located, type: ShapeType): Map<string, Keyword> {
  const found = new Map<string, Keyword>();
  for (const [keyword, value] of schema.limits ?? []) {
    const row = limitKeywords.get(keyword);
    if (row === undefined || row.informs || /Contains$/.test(keyword)) continue;
    if (row.type !== undefined && row.type !== type) continue;
    const isIdle = value === false || value === '' || (value === 0 && row.end === 'least' && type !== 'number');
    if (isIdle) continue;
    found.set(row.end === undefined ? `${keyword} ${canonicalText(value)}` : keyword, { keyword, value, pointer });
  }
  return found;
}

function readObject(shape: Shape, located: Located, work: Work | undefined): Shape {
  const { schema } = located;
  const { properties = new Map(), patternProperties = new Map(), additionalProperties, propertyNames } = schema;
  const members: MemberRule[] = [];
  for (const [name, part] of properties)
    members.push({ kind: 'property', name, schema: locateChild(located, part, 'properties', name) });
  for (const [pattern, part] of patternProperties) {
    const child = locateChild(located, part, 'patternProperties', pattern);
    const [, name] = /^\^([\w-]+)\$$/.exec(pattern) ?? [];
    members.push(
      name === undefined ? { kind: 'pattern', pattern, schema: child } : { kind: 'property', name, schema: child },
    );
  }
  if (additionalProperties !== undefined) {
    const names = new Set(members.flatMap((rule) => (rule.kind === 'property' ? [rule.name] : [])));
    const patterns = members.flatMap((rule) => (rule.kind === 'pattern' ? [rule.pattern] : []));
    const rest = locateChild(located, additionalProperties, 'additionalProperties');
    members.push({ kind: 'rest', names, patterns, schema: rest });
  }
  const required = new Map((schema.required ?? []).map((name) => [name, childPointer(located, 'required')]));
  const made: Shape = { ...shape, members, required, evaluated: { members, items: 0 } };
  if (work === undefined)
    return noteLiteral(made, located, ['not', 'conditional', 'dependentRequired', 'dependentSchemas', 'propertyNames']);
  if (propertyNames === undefined) return made;
  const allowed = readNames(locateChild(located, propertyNames, 'propertyNames'));
  if (allowed === undefined) return noteOpaque(made, 'propertyNames', located, work);
  return { ...made, members: [...members, { kind: 'rest', ...allowed, schema: { ...located, schema: { not: {} } } }] };
}

/** The names that a schema lists, or their pattern; undefined where it says something else. */
function readNames({ schema }: Located): { names: Set<string>; patterns: string[] } | undefined {
  const keywords = Object.keys(schema).filter((keyword) => keyword !== 'type' && keyword !== 'description');
  const [only, ...others] = keywords;
  if (others.length > 0 || (schema.type !== undefined && !schema.type.includes('string'))) return undefined;
  if (only === 'enum') return { names: new Set(schema.enum?.filter((name) => typeof name === 'string')), patterns: [] };
  const [[keyword, pattern] = ['', ''], ...more] = schema.limits ?? [];
  if (only === undefined) return { names: new Set(), patterns: [''] };
  if (only !== 'limits' || more.length > 0 || keyword !== 'pattern' || typeof pattern !== 'string') return undefined;
  return { names: new Set(), patterns: [pattern] };
}

function readArray(shape: Shape, located: Located, work: Work | undefined): Shape {
  const { prefixItems = [], items, contains, limits } = located.schema;
  const rules = prefixItems.map((part, from) => {
    return { schema: locateChild(located, part, 'prefixItems', from), from, isRest: false };
  });
  if (items !== undefined)
    rules.push({ schema: locateChild(located, items, 'items'), from: prefixItems.length, isRest: true });
  const evaluated = { members: [], items: items === undefined ? prefixItems.length : Number.POSITIVE_INFINITY };
  const made: Shape = { ...shape, items: rules, evaluated };
  if (work === undefined) return noteLiteral(made, located, ['not', 'conditional', 'contains', 'unevaluatedItems']);
  if (contains === undefined) return made;
  const [least, most] = [limits?.get('minContains') ?? 1, limits?.get('maxContains') ?? Number.POSITIVE_INFINITY];
  const rule = { schema: locateChild(located, contains, 'contains'), least: Number(least), most: Number(most) };
  return { ...made, contains: [rule] };
}
