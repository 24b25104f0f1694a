import {
  compileSchema,
  type FoundObject,
  findMember,
  findMembers,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Schema,
} from '../../../specs/src/index.ts';

/** A change after which a JSON value no longer fits its schema; undefined where the value gives no occasion for it. */
export type WrongValue = { readonly name: string; readonly change: (body: JsonValue) => JsonValue | undefined };

/** A member by its name, or the first one whose name fits; `0` is the first item of a list. */
type Segment = string | RegExp;
type Place = {
  readonly path: readonly Segment[];
  readonly isRequired: boolean;
  /** All of them apply there, `allOf` included. */
  readonly schemas: readonly FoundObject[];
  /** Of `anyOf` and `oneOf`. */
  readonly branches: readonly FoundObject[];
};
/** Makes the member's new value, or an empty list to drop it; undefined without an occasion. */
type Make = (now: JsonValue | undefined) => readonly JsonValue[] | undefined;
type Wrong = { readonly how: string; readonly make: Make };

/** As deep as both documents go; an overlay may bring a schema that includes itself. */
const deepest = 5;

/** One for each statement of a schema about each place: members required, types, words, patterns and bounds. */
export function listWrongValues(schema: Schema, root: JsonObject): readonly WrongValue[] {
  const whole = findMember(root, { value: { schema }, pointer: '' }, 'schema');
  if (whole === undefined) return [];
  const wrong = listPlaces(root, [whole], { path: [], isRequired: false }).flatMap((place) => [
    ...listWrong(place, root).map((one) => ({ ...one, path: place.path })),
    ...listForbidden(place),
  ]);
  const values = wrong.map(({ path, how, make }) => ({
    name: `${path.length === 0 ? 'body' : `/${path.map(showSegment).join('/')}`} ${how}`,
    change: (body: JsonValue) => changeAt(body, path, make)?.[0],
  }));
  return [...new Map(values.map((one) => [one.name, one])).values()]; // two branches may say the same
}

function listPlaces(
  root: JsonObject,
  found: readonly FoundObject[],
  { path, isRequired }: Pick<Place, 'path' | 'isRequired'>,
): readonly Place[] {
  if (path.length > deepest) return [];
  const schemas = found.flatMap((one) => withParts(root, one));
  const listIn = (keyword: string) => schemas.flatMap((one) => [...findMembers(root, one, keyword)]);
  const branches = ['anyOf', 'oneOf'].flatMap(listIn).map(([, branch]) => branch);
  const required = schemas.flatMap(({ value }) => value['required'] ?? []);
  const inside = (segment: Segment, members: readonly FoundObject[]): readonly Place[] =>
    listPlaces(root, members, { path: [...path, segment], isRequired: required.includes(String(segment)) });
  const members = Map.groupBy(listIn('properties'), ([name]) => name);
  return [
    { path, isRequired, schemas, branches },
    ...branches.flatMap((branch) => listPlaces(root, [branch], { path, isRequired }).slice(1)),
    ...[...members].flatMap(([name, same]) =>
      inside(
        name,
        same.map(([, member]) => member),
      ),
    ),
    ...listIn('patternProperties').flatMap(([pattern, member]) => inside(new RegExp(pattern, 'u'), [member])),
    ...schemas.flatMap((one) => findMember(root, one, 'items') ?? []).flatMap((item) => inside('0', [item])),
  ];
}

function withParts(root: JsonObject, found: FoundObject): readonly FoundObject[] {
  return [found, ...[...findMembers(root, found, 'allOf').values()].flatMap((part) => withParts(root, part))];
}

function listWrong({ schemas, branches, isRequired }: Place, root: JsonObject): readonly Wrong[] {
  const checks = schemas.map(({ value }) => compileSchema(value, { root }));
  const isWrong = (value: JsonValue): boolean => checks.some((check) => check(value).length > 0);
  const wrong = [...schemas, ...branches].flatMap(({ value }) => listCandidates(value));
  return [
    ...(isRequired ? [{ how: 'dropped', make: (now: JsonValue | undefined) => (now === undefined ? now : []) }] : []),
    ...wrong.filter(({ make }) => make(undefined)?.every(isWrong) !== false),
  ];
}

/** What breaks a keyword of this schema; other parts of the place may allow it all the same. */
function listCandidates(schema: JsonObject): readonly Wrong[] {
  const wrong = (how: string, value: JsonValue): Wrong => ({ how, make: () => [value] });
  const types = [schema['type']].flat();
  const words = [schema['enum'] ?? [], schema['const'] ?? []].flat();
  return [
    ...(types.includes(undefined) ? [] : [wrong('null', null)]),
    ...(types.includes('string') ? [wrong('a number', 7)] : []),
    ...(types.includes('integer') ? [wrong('a text', '7'), wrong('a fraction', 7.5)] : []),
    ...(types.includes('boolean') ? [wrong('a text', 'true')] : []),
    ...(types.includes('array') ? [wrong('an object', {})] : []),
    ...(types.includes('object') ? [wrong('a text', 'text'), wrong('an array', [])] : []),
    ...(words.length > 0 ? ['NO_SUCH_WORD', ...words] : []).map((word) => wrong(JSON.stringify(word), word)),
    ...(schema['format'] === 'uri' ? [wrong('relative', '/v2/models')] : []),
    ...(typeof schema['pattern'] === 'string' ? [wrong('malformed', 'Not A Match!')] : []),
    ...listBroken(schema),
  ];
}

/** Beyond a bound, as near to it as can be. */
function listBroken(schema: JsonObject): readonly Wrong[] {
  const bound = (keyword: string, how: string, make: (limit: number) => Make): readonly Wrong[] => {
    const limit = schema[keyword];
    return typeof limit === 'number' ? [{ how, make: make(limit) }] : [];
  };
  return [
    ...bound('minimum', 'too small', (limit) => () => [limit - 1]),
    ...bound('maximum', 'too large', (limit) => () => [limit + 1]),
    ...bound(
      'minLength',
      'too short',
      (limit) =>
        (now = '') =>
          limit === 0 ? undefined : [String(now).slice(0, limit - 1)],
    ),
    ...bound('maxLength', 'too long', (limit) => (now = 'a') => [String(now).padEnd(limit + 1, String(now).at(-1))]),
    ...bound('maxItems', 'too many', (limit) => (now) => (Array.isArray(now) ? repeat(now, limit + 1) : undefined)),
  ];
}

function repeat(list: readonly JsonValue[], length: number): readonly JsonValue[] | undefined {
  return list.length === 0 ? undefined : [Array.from({ length }, (_, index) => list[index % list.length] ?? null)];
}

/** Members that `propertyNames` forbids by name. */
function listForbidden({ schemas, path }: Place): readonly (Wrong & Pick<Place, 'path'>)[] {
  return schemas.flatMap(({ value }) => {
    const names = value['propertyNames'];
    const forbidden = isJsonObject(names) && isJsonObject(names['not']) ? names['not']['const'] : undefined;
    if (typeof forbidden !== 'string') return [];
    return [{ path: [...path, forbidden], how: 'added', make: () => ['invalid_input'] }];
  });
}

/** The changed value in a list that is empty where it is dropped; undefined without an occasion. */
function changeAt(
  value: JsonValue | undefined,
  path: readonly Segment[],
  make: Make,
): readonly JsonValue[] | undefined {
  const [first, ...rest] = path;
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

function showSegment(segment: Segment): string {
  return typeof segment === 'string' ? segment : `{${segment.source}}`;
}
