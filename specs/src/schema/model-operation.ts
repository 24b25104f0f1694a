import { type FoundObject, findMember, findMembers } from '../documents/references.ts';
import { asObject, formatPointer, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';

/** A media type of a body. `schema` is the unchecked value from the document; `pointer` is its location. */
export type Content = {
  readonly mediaType: string;
  readonly schema: JsonValue | undefined;
  readonly pointer: string;
  /** Examples of the media type, without those in the schema. */
  readonly examples: readonly JsonValue[];
  /** Named examples. */
  readonly namedExamples: ReadonlyMap<string, JsonValue>;
};
/** The operation that runs the model, from its schema document. */
export type ModelOperation = {
  /** The path item and its POST operation, with their pointers. */
  readonly place: { readonly item: FoundObject; readonly post: FoundObject };
  /** The JSON request body. */
  readonly input: Content | undefined;
  /** All media types of the request body. */
  readonly inputMediaTypes: readonly string[];
  /** The media types of the first documented success response. */
  readonly outputs: readonly Content[];
  /** Returns an extension from the first of `extensionPlaces` that has it. */
  readonly extension: (key: string) => JsonValue | undefined;
};

/** Locations to look for extensions about the input, because the API text doesn't specify them. */
export const extensionPlaces =
  'the root, info, the operation, its path, its request body, or the media type or schema of the body';

/** Finds the POST operation at the model's path, or the only POST operation of the document; undefined if there is none. */
export function readModelOperation(root: JsonObject, modelId?: string): ModelOperation | undefined {
  const paths = findMembers(root, { value: root, pointer: '' }, 'paths');
  const posts = [...paths].flatMap(([path, item]) => {
    const post = findMember(root, item, 'post');
    return post === undefined ? [] : [{ path, item, post }];
  });
  const encoded = modelId?.toWellFormed().split('/').map(encodeURIComponent).join('/');
  const postOfModel = posts.find(({ path }) => path.endsWith(`/${modelId}`) || path.endsWith(`/${encoded}`));
  const chosen = postOfModel ?? (posts.length === 1 ? posts[0] : undefined);
  if (chosen === undefined) return undefined;
  const { item, post } = chosen;
  const body = findMember(root, post, 'requestBody');
  const inputs = readContents(root, body);
  // Calls are sent as `application/json`.
  const input =
    inputs.find(({ mediaType }) => readEssence(mediaType) === 'application/json') ??
    inputs.find(({ mediaType }) => isJsonMediaType(mediaType)) ??
    inputs.find(({ mediaType }) => isWildcard(mediaType));
  const media = findMembers(root, body, 'content').get(input?.mediaType ?? '');
  const schema = media === undefined ? undefined : findMember(root, media, 'schema')?.value;
  const holders = [root, root['info'], post.value, item.value, body?.value, media?.value, schema].filter(isJsonObject);
  const responses = findMembers(root, post, 'responses');
  const successes = ['200', '2XX', ...[...responses.keys()].filter((key) => /^2\d\d$/.test(key))];
  return {
    place: { item, post },
    input,
    inputMediaTypes: inputs.map(({ mediaType }) => mediaType),
    outputs: readContents(root, responses.get(successes.find((key) => responses.has(key)) ?? '')),
    extension: (key) => holders.find((holder) => Object.hasOwn(holder, key))?.[key],
  };
}

function readContents(root: JsonObject, holder: FoundObject | undefined): Content[] {
  const content = holder?.value['content'];
  if (holder === undefined || !isJsonObject(content)) return [];
  // Skip extension keys next to the media types.
  const types = Object.entries(content).filter(([mediaType]) => mediaType.includes('/'));
  return types.map(([mediaType, entry]) => {
    const media = asObject(entry);
    const found = [...findMembers(root, { value: media, pointer: '' }, 'examples')];
    const named = found.flatMap(([name, { value }]): [string, JsonValue][] =>
      value['value'] === undefined ? [] : [[name, value['value']]],
    );
    const pointer = `${holder.pointer}${formatPointer(['content', mediaType, 'schema'])}`;
    const examples = [media['example'], ...named.map(([, value]) => value)].filter((example) => example !== undefined);
    return { mediaType, schema: media['schema'], pointer, examples, namedExamples: new Map(named) };
  });
}

/** Returns a media type without parameters in lower case. */
export function readEssence(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function isJsonMediaType(mediaType: string): boolean {
  const essence = readEssence(mediaType);
  return essence === 'application/json' || essence.endsWith('+json') || essence === 'text/json';
}

/** True if the media type covers JSON and other types. */
export function isWildcard(mediaType: string): boolean {
  return ['*/*', 'application/*'].includes(readEssence(mediaType));
}
