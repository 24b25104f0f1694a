import {
  asObject,
  type CanonicalSchema,
  type FoundObject,
  findMember,
  findMembers,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelOperation,
  nameParameter,
} from '../../../specs/src/index.ts';

/** Facts from a document about how to call its model, except the schemas of input and outputs. */
export type OperationFacts = {
  readonly parameters: readonly ModelParameter[];
  readonly requestMediaTypes: readonly string[];
  /** Names of response headers by status. */
  readonly responses: ReadonlyMap<string, readonly string[]>;
  /** Alternatives for authorisation. Each maps the descriptions of the required security schemes to their scopes. */
  readonly security: JsonObject[];
};
type ModelParameter = {
  readonly in: string;
  readonly name: string;
  readonly required: boolean;
  readonly schema: CanonicalSchema;
  /** How the parameter's value is serialised. */
  readonly serialisation: Readonly<Record<string, JsonValue>>;
};
type ReadContext = { readonly root: JsonObject; readonly read: (raw: JsonValue, pointer: string) => CanonicalSchema };

export function readOperationFacts({ item, post }: ModelOperation['place'], source: ReadContext): OperationFacts {
  const { root } = source;
  const body = findMember(root, post, 'requestBody');
  // A parameter of the operation replaces a parameter of the path that has the same name.
  const parameters = [item, post].flatMap((holder) => [...findMembers(root, holder, 'parameters').values()]);
  const byName = new Map(parameters.map((found) => [nameParameter(found), found]));
  byName.delete('');
  return {
    parameters: sortedEntries(byName).map(([, found]) => readParameter(found, source)),
    requestMediaTypes: Object.keys(asObject(body?.value['content'])).sort(),
    responses: new Map(
      sortedEntries(findMembers(root, post, 'responses')).map(([status, response]) => [
        status,
        Object.keys(asObject(response.value['headers']))
          .map((name) => name.toLowerCase())
          .sort(),
      ]),
    ),
    security: readSecurity(post.value['security'] ?? root['security'], root),
  };
}

function readParameter({ value, pointer }: FoundObject, { root, read }: ReadContext): ModelParameter {
  // A parameter has a schema of its own, or one in its only media type.
  const [media] = findMembers(root, { value, pointer }, 'content').values();
  const holder = value['schema'] === undefined ? media : { value, pointer };
  const raw = holder?.value['schema'];
  const keywords = ['style', 'explode', 'allowReserved'].filter((word) => value[word] !== undefined);
  return {
    in: String(value['in']),
    name: String(value['name']),
    required: value['required'] === true,
    schema: holder === undefined || raw === undefined ? {} : read(raw, `${holder.pointer}/schema`),
    serialisation: Object.fromEntries([
      ...keywords.map((word) => [word, value[word] ?? null]),
      ...Object.keys(asObject(value['content'])).map((mediaType) => ['mediaType', mediaType]),
    ]),
  };
}

// Describes each scheme by its type and place instead of its name, so that renaming a scheme doesn't count as a change.
function readSecurity(security: JsonValue | undefined, root: JsonObject): JsonObject[] {
  const schemes = findMembers(root, { value: asObject(root['components']), pointer: '/components' }, 'securitySchemes');
  const describe = (name: string): string => {
    const { type, in: place, name: key, scheme } = schemes.get(name)?.value ?? { type: name };
    return [type, scheme, place, key].filter((word) => typeof word === 'string').join(' ');
  };
  const ways = Array.isArray(security) ? security.filter(isJsonObject) : [];
  return ways.map((way) =>
    Object.fromEntries(
      Object.entries(way).map(([name, scopes]) => [
        describe(name),
        Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string').sort() : [],
      ]),
    ),
  );
}

function sortedEntries<T>(members: ReadonlyMap<string, T>): [string, T][] {
  return [...members].sort(([left], [right]) => (left < right ? -1 : 1));
}
