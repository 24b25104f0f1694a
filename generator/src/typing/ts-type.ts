import {
  type CanonicalSchema,
  type DefinitionName,
  isNull,
  type JsonTypeName,
  type JsonValue,
  limitKeywords,
  mergeLimits,
} from '../../../specs/src/index.ts';

/** Documentation of a type or property: text from the document, never code. */
export type Docs = Pick<
  CanonicalSchema,
  'description' | 'default' | 'examples' | 'deprecated' | 'limits' | 'exactTexts'
>;
export type Field = {
  readonly name: string;
  readonly required: boolean;
  readonly type: TsType;
  readonly docs: Docs;
  /** True for a member that no schema describes (only `required` lists it), so `unevaluatedProperties` still applies. */
  readonly unevaluated?: true;
};
/** Members whose names start and end with these texts. */
export type NamePattern = { readonly starts: string; readonly ends: string; readonly type: TsType };
/** True if the schema rejects some values of the type, for example because of a bound, a pattern or uniqueness. */
type Inexact = { readonly inexact?: boolean | undefined };
export type ObjectType = Inexact & {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Field>;
  readonly patterns: readonly NamePattern[];
  /** Type of members that are not listed: `never` if there are none, or `unevaluatedType`. */
  readonly rest: TsType;
  /** Title of the alternative that the object comes from. */
  readonly title?: string | undefined;
};
export type ArrayType = Inexact & {
  readonly kind: 'array';
  readonly prefix: readonly TsType[];
  /** Number of required items in the prefix. */
  readonly required: number;
  /** Type of items after the prefix; `never` if there are none. */
  readonly rest: TsType;
};
export type Literal = string | number | boolean | null;

/** A set of JSON values that TypeScript can express. */
export type TsType =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'never' }
  | (Inexact & { readonly kind: 'scalar'; readonly scalar: 'string' | 'number' | 'integer' | 'boolean' })
  | (Inexact & { readonly kind: 'literal'; readonly value: Literal })
  | ObjectType
  | ArrayType
  | { readonly kind: 'union'; readonly members: readonly TsType[] }
  /** Used only if members can't be merged into one type, or to keep a name. */
  | { readonly kind: 'intersection'; readonly members: readonly TsType[] }
  | { readonly kind: 'reference'; readonly name: DefinitionName }
  /** A body that isn't JSON. */
  | { readonly kind: 'bytes' };
export type TypeOf<Kind extends TsType['kind']> = Extract<TsType, { kind: Kind }>;

export const unknownType: TsType = { kind: 'unknown' };
/** Like `unknownType`, for members that no keyword describes so far: `unevaluatedProperties` may limit them later. */
export const unevaluatedType: TsType = { kind: 'unknown' };
export const neverType: TsType = { kind: 'never' };
const nullType: TsType = { kind: 'literal', value: null };
export const stringType: TsType = { kind: 'scalar', scalar: 'string' };
export const bytesType: TsType = { kind: 'bytes' };
export const anyObject: ObjectType = { kind: 'object', fields: new Map(), patterns: [], rest: unevaluatedType };
export const openObject: ObjectType = { ...anyObject, rest: unknownType };
const anyArray: ArrayType = { kind: 'array', prefix: [], required: 0, rest: unknownType };

/** True if an object type doesn't constrain its members; it may still be inexact. */
export function isUnconstrained({ fields, patterns, rest }: ObjectType): boolean {
  return fields.size === 0 && patterns.length === 0 && rest === unevaluatedType;
}

/** Creates an object type that constrains only these members. */
export function makeObject(fields: readonly Pick<Field, 'name' | 'required' | 'type'>[]): ObjectType {
  const entries = fields.map((field) => [field.name, { ...field, docs: {}, unevaluated: true as const }] as const);
  return { ...anyObject, fields: new Map(entries) };
}

/** Creates the type of exactly one value; objects and arrays are closed. */
export function makeLiteralType(value: JsonValue): TsType {
  if (Array.isArray(value)) {
    return { kind: 'array', prefix: value.map(makeLiteralType), required: value.length, rest: neverType };
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, member]) => {
      return [name, { name, required: true, type: makeLiteralType(member), docs: {} }] as const;
    });
    return { ...anyObject, fields: new Map(fields), rest: neverType };
  }
  // A number that is too large for a double can't be printed as a literal.
  const isPrintable = typeof value !== 'number' || Number.isFinite(value);
  return isPrintable ? { kind: 'literal', value } : { kind: 'scalar', scalar: 'number' };
}

/** Reads the documentation of a schema and its alternatives, including bounds, which types can't express. */
export function readDocs(schema: CanonicalSchema): Docs {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((branch) => !isNull(branch));
  // A union of one schema and null means "nullable", so its bounds apply to the whole value.
  const isNullable = branches.length === 1;
  const { limits, exactTexts } = mergeLimits([...(schema.limits === undefined && isNullable ? branches : []), schema]);
  const isDescribed = branches.some((branch) => branch.description !== undefined || branch.limits !== undefined);
  const alternatives = isNullable || !isDescribed ? [] : branches.flatMap(describeAlternative);
  const lines = [...(schema.description === undefined ? [] : [schema.description]), ...alternatives];
  const docs: Docs = {};
  if (lines.length > 0) docs.description = lines.join('\n');
  if (schema.default !== undefined) docs.default = schema.default;
  if (schema.examples !== undefined) docs.examples = schema.examples;
  if (schema.deprecated !== undefined) docs.deprecated = schema.deprecated;
  if (limits !== undefined) docs.limits = limits;
  if (exactTexts !== undefined) docs.exactTexts = exactTexts;
  return docs;
}

const maxListed = 5;

/** Returns a line such as `- 2 to 30: frames per second`; none if the alternative is a named type with its own documentation. */
function describeAlternative(branch: CanonicalSchema): string[] {
  const { ref, title, enum: values, type, description, limits } = branch;
  if (description === undefined && limits === undefined && (ref !== undefined || values === undefined)) return [];
  const listed = (values ?? []).slice(0, maxListed).map((value) => JSON.stringify(value));
  const more = (values ?? []).length > maxListed ? [...listed, '…'] : listed;
  const name = title ?? (values === undefined ? (ref ?? type?.join(' or ')) : more.join(', '));
  const words = [name, printLimits(branch)].filter(Boolean).join(', ');
  return [`- ${[words || [], description ?? []].flat().join(': ')}`];
}

/** Prints bounds with the keywords of the document, lower bounds before upper ones: `minimum: 2, maximum: 30`. */
export function printLimits({ limits, exactTexts }: Pick<Docs, 'limits' | 'exactTexts'>): string {
  const isEnd = (keyword: string, end: 'least' | 'most'): boolean => limitKeywords.get(keyword)?.end === end;
  const keywords = [...(limits?.keys() ?? [])];
  const ends = (['least', 'most'] as const).flatMap((end) => keywords.filter((keyword) => isEnd(keyword, end)));
  const ordered = keywords.map((keyword) => {
    return isEnd(keyword, 'least') || isEnd(keyword, 'most') ? (ends.shift() ?? keyword) : keyword;
  });
  const printed = ordered.map(
    (keyword) => `${keyword}: ${exactTexts?.get(keyword) ?? JSON.stringify(limits?.get(keyword))}`,
  );
  // Literal types contain the rounded values, so the exact ones are documented.
  return [...printed, ...(exactTexts?.has('enum') ? [`enum: ${exactTexts.get('enum')}`] : [])].join(', ');
}

export function matchesPattern({ starts, ends }: Pick<NamePattern, 'starts' | 'ends'>, name: string): boolean {
  return name.length >= starts.length + ends.length && name.startsWith(starts) && name.endsWith(ends);
}

/** Lists the direct parts of a type. */
function listParts(type: TsType): readonly TsType[] {
  switch (type.kind) {
    case 'union':
    case 'intersection':
      return type.members;
    case 'array':
      return type.rest.kind === 'never' ? type.prefix : [...type.prefix, type.rest];
    case 'object': {
      const types = [...type.fields.values(), ...type.patterns].map((field) => field.type);
      return ['unknown', 'never'].includes(type.rest.kind) ? types : [...types, type.rest];
    }
    default:
      return [];
  }
}

/** Lists the names that a type refers to. Visits each part once. */
export function listTypeNames(type: TsType, seen: Set<TsType> = new Set()): DefinitionName[] {
  if (seen.has(type)) return [];
  seen.add(type);
  if (type.kind === 'reference') return [type.name];
  return listParts(type).flatMap((part) => listTypeNames(part, seen));
}

/** Counts the parts of the printed type. Shared parts can make the type of a small document extremely large. */
export function measureType(type: TsType, known: Map<TsType, number> = new Map()): number {
  const measured = known.get(type);
  if (measured !== undefined) return measured;
  const size = listParts(type).reduce((sum, part) => sum + measureType(part, known), 1);
  known.set(type, size);
  return size;
}

/** The kinds of values that the keyword `type` distinguishes; integers count as numbers. */
export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'bytes';
/** A type whose values all have the same kind. */
export type SingleType = Exclude<TsType, { kind: 'unknown' | 'never' | 'reference' | 'intersection' | 'union' }>;

export const typesByName: Readonly<Record<JsonTypeName, TsType>> = {
  null: nullType,
  boolean: { kind: 'scalar', scalar: 'boolean' },
  number: { kind: 'scalar', scalar: 'number' },
  string: stringType,
  array: anyArray,
  object: anyObject,
  integer: { kind: 'scalar', scalar: 'integer' },
};
// Without the last entry, because integers are numbers.
const everyKind = Object.values(typesByName).slice(0, -1);
export const everyJsonKind: ReadonlySet<Kind> = new Set(['null', 'boolean', 'number', 'string', 'array', 'object']);
/** The type of every JSON value as a union of all kinds, so that one kind can be narrowed. */
export const everything: TsType = { kind: 'union', members: everyKind };
/** Types of values that object keywords don't constrain (`allButObjects`), and that array keywords don't (`allButArrays`). */
export const allButObjects = everyKind.filter((type) => type !== anyObject);
export const allButArrays = everyKind.filter((type) => type !== anyArray);

export function isSingle(type: TsType): type is SingleType {
  return classify(type) !== undefined;
}

export function classify(type: TsType): Kind | undefined {
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'integer' ? 'number' : type.scalar;
    case 'literal':
      return type.value === null ? 'null' : kindsOfLiterals[typeof type.value];
    case 'array':
    case 'object':
    case 'bytes':
      return type.kind;
    default:
      return undefined;
  }
}

const kindsOfLiterals: Readonly<Record<string, Kind>> = { string: 'string', number: 'number', boolean: 'boolean' };

export function listMembers(type: TsType): readonly TsType[] {
  return type.kind === 'union' ? type.members : [type];
}

export function isInexact(type: TsType): boolean {
  return 'inexact' in type && type.inexact === true;
}

/** Creates a union without nesting or duplicates; `unknown` if the members accept every value. */
export function joinTypes(types: readonly TsType[]): TsType {
  const [sole] = types;
  if (types.length === 1 && sole !== undefined) return sole;
  const members = new Set<TsType>();
  const keys = new Set<string>();
  for (const member of types.flatMap(listMembers)) {
    const key = makeTypeKey(member);
    if (member.kind === 'never' || (key !== undefined && keys.has(key))) continue;
    if (key !== undefined) keys.add(key);
    members.add(member);
  }
  const [only] = members;
  if (only === undefined) return neverType;
  if (keys.has('unknown') || keysOfEverything.every((key) => keys.has(key))) return unknownType;
  return members.size === 1 ? only : { kind: 'union', members: [...members] };
}

const keysOfEverything = everyKind.flatMap((type) => makeTypeKey(type) ?? []);

// Only types that are cheap to compare get a key. Two equal objects in one union are harmless.
function makeTypeKey(member: TsType): string | undefined {
  if (isInexact(member)) return undefined;
  switch (member.kind) {
    case 'scalar':
      return member.scalar;
    case 'literal':
      return `=${JSON.stringify(member.value)}`;
    case 'reference':
      return `#${member.name}`;
    case 'array':
      return member.prefix.length === 0 && member.rest.kind === 'unknown' ? 'array' : undefined;
    case 'object':
      return isUnconstrained(member) ? 'object' : undefined;
    case 'bytes':
    case 'unknown':
      return member.kind;
    default:
      return undefined;
  }
}

/** Returns `unknown` for a finalised union that accepts every value. */
export function collapseUniversalUnion(type: TsType): TsType {
  const keys = listMembers(type).map((member) =>
    makeTypeKey(
      member.kind === 'object' && member.rest.kind === 'unknown' ? { ...member, rest: unevaluatedType } : member,
    ),
  );
  return keysOfEverything.every((key) => keys.includes(key)) ? unknownType : type;
}
