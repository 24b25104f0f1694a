import type { FoundObject, JsonObject, JsonValue, Schema } from '../../../specs/src/index.ts';
import { compileSchema, findMember, findMembers, isJsonObject, linearPattern } from '../../../specs/src/index.ts';

/** A change that makes a JSON value invalid for its schema; returns undefined if it cannot be applied. */
export type WrongValue = { readonly name: string; readonly change: (body: JsonValue) => JsonValue | undefined };

/** Steps to a location: member names, or a pattern that selects the first member with a matching name; `0` is the first item of a list. */
type Path = readonly (string | NamePattern)[];
type NamePattern = { readonly test: (name: string) => boolean; readonly toString: () => string };
type Location = {
  readonly path: Path;
  readonly isRequired: boolean;
  /** Schemas that all apply to this location, including `allOf`. */
  readonly schemas: readonly FoundObject[];
  /** Branches of `anyOf` and `oneOf`. */
  readonly branches: readonly FoundObject[];
};
/** A list with only the new value, or an empty list to remove the member; undefined if the change cannot be applied. */
type Replacement = readonly JsonValue[] | undefined;
type Mutation = { readonly how: string; readonly make: (now: JsonValue | undefined) => Replacement };

/** Maximum nesting. Only a schema of a model, which may include itself, is nested more deeply than this. */
const maxDepth = 5;
/** Maximum number of locations. Only a schema of a model may have more. */
const maxLocations = 400;
/** Maximum length of strings and lists. */
const maxSize = 10_000;

/** Returns one wrong value per constraint of a schema: required members, types, enums, patterns and bounds. */
export function listWrongValues(schema: Schema, root: JsonObject): readonly WrongValue[] {
  const rootSchema = findMember(root, { value: { schema }, pointer: '' }, 'schema');
  if (rootSchema === undefined) return [];
  const locations: Location[] = [];
  for (const location of listLocations(root, [rootSchema])) if (locations.push(location) === maxLocations) break;
  const wrong = locations.flatMap((location) => [
    ...listMutations(location, root).map((one) => ({ ...one, path: location.path })),
    ...listForbiddenMembers(location),
  ]);
  const values = wrong.map(({ path, how, make }) => ({
    name: `${path.length === 0 ? 'body' : `/${path.join('/')}`} ${how}`,
    change: (body: JsonValue) => changeAt(body, path, make)?.[0],
  }));
  return [...new Map(values.map((one) => [one.name, one])).values()]; // Two branches may contain the same constraint.
}

type LocationDetails = Pick<Location, 'path' | 'isRequired'> & {
  /** True for an `anyOf` or `oneOf` branch of a location that is already listed. */
  readonly isBranch: boolean;
  readonly depth: number;
};

function* listLocations(
  root: JsonObject,
  found: readonly FoundObject[],
  { path, isRequired, isBranch, depth }: LocationDetails = { path: [], isRequired: false, isBranch: false, depth: 0 },
): Iterable<Location> {
  if (depth > maxDepth) return;
  const schemas = found.flatMap((one) => listIncludedSchemas(root, one));
  const listIn = (keyword: string) => schemas.flatMap((one) => [...findMembers(root, one, keyword)]);
  const branches = ['anyOf', 'oneOf'].flatMap(listIn).map(([, branch]) => branch);
  const required = schemas.flatMap(({ value }) => value['required'] ?? []);
  const members = [...Map.groupBy(listIn('properties'), ([name]) => name)];
  const items = schemas.flatMap((one) => findMember(root, one, 'items') ?? []);
  const inside = [
    ...members.map(([name, same]) => [name, same.map(([, member]) => member)] as const),
    ...listIn('patternProperties').flatMap(([pattern, member]) => {
      const test = linearPattern(pattern);
      return test === undefined
        ? []
        : [[{ test, toString: () => String(new RegExp(pattern, 'u')) }, [member]] as const];
    }),
    ...(items.length > 0 ? [['0', items] as const] : []),
  ];
  if (!isBranch) yield { path, isRequired, schemas, branches };
  for (const branch of branches)
    yield* listLocations(root, [branch], { path, isRequired, isBranch: true, depth: depth + 1 });
  for (const [name, member] of inside) {
    const isNeeded = required.some((one) => one === name);
    const at = { path: [...path, name], isRequired: isNeeded, isBranch: false, depth: depth + 1 };
    yield* listLocations(root, member, at);
  }
}

function listIncludedSchemas(root: JsonObject, found: FoundObject, depth = 0): readonly FoundObject[] {
  const parts = depth < maxDepth ? [...findMembers(root, found, 'allOf').values()] : [];
  return [found, ...parts.flatMap((part) => listIncludedSchemas(root, part, depth + 1))];
}

function listMutations({ schemas, branches, isRequired }: Location, root: JsonObject): readonly Mutation[] {
  const checks = schemas.map(({ value }) => compileSchema(value, { root }));
  const isWrong = (value: JsonValue): boolean => checks.some((check) => check(value).length > 0);
  const dropped: Mutation = { how: 'dropped', make: (now) => (now === undefined ? undefined : []) };
  const wrong = [...schemas, ...branches].flatMap(({ value: schema }) => [
    ...listReplacements(schema),
    ...Object.entries(boundMutations).flatMap(([keyword, { how, exceed }]) => {
      const limit = schema[keyword];
      return typeof limit === 'number' ? [{ how, make: (now: JsonValue | undefined) => exceed(limit, now) }] : [];
    }),
  ]);
  // Drop values that violate one part of the schema, but that the schema as a whole allows.
  return [...(isRequired ? [dropped] : []), ...wrong.filter(({ make }) => make(undefined)?.every(isWrong) !== false)];
}

/** For each type, values of other types that lenient servers accept as this type. */
const otherTypes: Readonly<Record<string, Readonly<Record<string, JsonValue>>>> = {
  string: { 'a number': 7 },
  integer: { 'a text': '7', 'a fraction': 7.5 },
  boolean: { 'a text': 'true' },
  array: { 'an object': {} },
  object: { 'a text': 'text', 'an array': [] },
};

function listReplacements(schema: JsonObject): readonly Mutation[] {
  const types = [schema['type'] ?? []].flat();
  const words = [schema['enum'] ?? [], schema['const'] ?? []].flat();
  const values: readonly (readonly [how: string, value: JsonValue])[] = [
    ...(types.length > 0 ? [['null', null] as const] : []),
    ...types.flatMap((type) => Object.entries(otherTypes[String(type)] ?? {})),
    ...(words.length > 0 ? [typeof words[0] === 'number' ? 987_654 : 'NO_SUCH_WORD', ...words] : []).map(
      (word) => [JSON.stringify(word), word] as const,
    ),
    ...(schema['format'] === 'uri' ? [['relative', '/v2/models'] as const] : []),
    ...(schema['pattern'] === undefined ? [] : [['malformed', fitLength('Not A Match!', schema)] as const]),
  ];
  return [
    ...values.map(([how, value]) => ({ how, make: () => [value] })),
    ...(schema['additionalProperties'] === false ? [{ how: 'with one more', make: addMember }] : []),
  ];
}

function fitLength(text: string, { minLength = 0, maxLength = maxSize }: JsonObject): string {
  return text.padEnd(Math.min(Number(minLength), maxSize), '!').slice(0, Math.max(Number(maxLength), 0));
}

const addMember: Mutation['make'] = (now) =>
  isJsonObject(now) ? [{ ...now, a_member_no_schema_names: 1 }] : undefined;

/** For each bound, the closest value outside of it. */
const boundMutations: Readonly<
  Record<string, { how: string; exceed(limit: number, now: JsonValue | undefined): Replacement }>
> = {
  minimum: { how: 'too small', exceed: (limit) => [limit - 1] },
  exclusiveMinimum: { how: 'at its bound', exceed: (limit) => [limit] },
  maximum: { how: 'too large', exceed: (limit) => [limit + 1] },
  minLength: {
    how: 'too short',
    exceed: (limit, now = '') => (limit > 0 ? [String(now).slice(0, limit - 1)] : undefined),
  },
  maxLength: {
    how: 'too long',
    exceed: (limit, now = 'a') =>
      limit < maxSize ? [String(now).padEnd(limit + 1, String(now).at(-1) ?? 'a')] : undefined,
  },
  minItems: {
    how: 'too few',
    exceed: (limit, now) => [Array.isArray(now) ? now.slice(0, Math.max(limit - 1, 0)) : []],
  },
  maxItems: {
    how: 'too many',
    exceed: (limit, now) =>
      Array.isArray(now) && now.length > 0 && limit < maxSize
        ? [Array.from({ length: limit + 1 }, (_, index) => now[index % now.length] ?? null)]
        : undefined,
  },
};

function listForbiddenMembers({ schemas, path }: Location): readonly (Mutation & { readonly path: Path })[] {
  return schemas.flatMap(({ value }) => {
    const names = value['propertyNames'];
    const forbidden = isJsonObject(names) && isJsonObject(names['not']) ? names['not']['const'] : undefined;
    if (typeof forbidden !== 'string') return [];
    return [{ path: [...path, forbidden], how: 'added', make: () => ['invalid_input'] }];
  });
}

function changeAt(value: JsonValue | undefined, [first, ...rest]: Path, make: Mutation['make']): Replacement {
  if (first === undefined) return make(value);
  if (Array.isArray(value)) {
    const item = changeAt(value[0], rest, make);
    return item && [[...item, ...value.slice(1)]];
  }
  if (!isJsonObject(value)) return undefined;
  const name = typeof first === 'string' ? first : Object.keys(value).find((one) => first.test(one));
  if (name === undefined) return undefined;
  const member = changeAt(value[name], rest, make);
  const others = Object.entries(value).filter(([one]) => one !== name);
  return member && [Object.fromEntries([...others, ...member.map((one) => [name, one] as const)])];
}
