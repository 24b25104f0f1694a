import { isJsonObject, type JsonObject, type JsonValue, resolvePointer } from '../../specs/src/index.ts';
import type { BenchDocument } from '../documents/document.ts';

/** One side of a model: its document's description of the JSON input or output. */
export type Subject = {
  model: string;
  direction: 'input' | 'output';
  path: string;
  /** Only those whose bodies can be JSON. */
  mediaTypes: readonly string[];
  status: string;
  /** As in the document. */
  schema: JsonValue;
  root: JsonObject;
  /** Example values published next to media types and schemas. */
  published: readonly JsonValue[];
};

/** Input and output as raw schemas; a side without JSON is omitted. */
export function listSubjects({ id, root }: BenchDocument): Subject[] {
  const found = findPost(root, id);
  if (found === undefined) return [];
  const base = { model: id, root, path: found.path };
  return [...inputSubjects(base, found.post), ...outputSubjects(base, found.post)];
}

type Base = { model: string; root: JsonObject; path: string };

function findPost(root: JsonObject, id: string): { path: string; post: JsonObject } | undefined {
  const posts = Object.entries(objectAt(root, 'paths')).flatMap(([path, item]) => {
    const post = isJsonObject(item) ? item['post'] : undefined;
    return isJsonObject(post) ? [{ path, post }] : [];
  });
  return posts.find(({ path }) => path.endsWith(`/${id}`)) ?? posts[0];
}

function inputSubjects(base: Base, post: JsonObject): Subject[] {
  const body = followed(base.root, post['requestBody']);
  const content = jsonContent(body);
  if (content === undefined) return [];
  const authored = Object.entries(base.root).every(
    ([key, value]) => !/^x-.+-input-schema-authored$/.test(key) || value !== false,
  );
  // Without an authored schema every JSON object passes, whatever the document contains.
  const schema = authored ? content.schema : { type: 'object' };
  return [
    { ...base, ...content, schema, direction: 'input', status: '', published: authored ? content.published : [] },
  ];
}

function outputSubjects(base: Base, post: JsonObject): Subject[] {
  const responses = objectAt(post, 'responses');
  const status = Object.keys(responses).find((key) => /^2/.test(key));
  if (status === undefined) return [];
  const content = jsonContent(followed(base.root, responses[status]));
  if (content === undefined) return [];
  // A body whose media type is open may be text, whatever the schema says of JSON.
  const isOpen = content.mediaTypes.some((type) => /^(?:\*|application)\/\*$/.test(type));
  const schema = isOpen ? { anyOf: [content.schema, { type: 'string' }] } : content.schema;
  return [{ ...base, ...content, schema, direction: 'output', status }];
}

function jsonContent(holder: JsonObject | undefined) {
  const content = holder === undefined ? {} : objectAt(holder, 'content');
  const found = Object.entries(content).flatMap(([mediaType, media]) => {
    const schema = isJsonObject(media) ? (media['schema'] ?? {}) : undefined;
    const isJson = /^(application\/json|\*\/\*|application\/\*$)|\+json/i.test(mediaType);
    const isBytes = isJsonObject(schema) && schema['format'] === 'binary';
    return isJsonObject(media) && schema !== undefined && isJson && !isBytes ? [{ mediaType, media, schema }] : [];
  });
  const [only] = found;
  if (only === undefined) return undefined;
  return {
    mediaTypes: found.map(({ mediaType }) => mediaType),
    schema: found.length === 1 ? only.schema : { anyOf: found.map(({ schema }) => schema) },
    published: found.flatMap(({ media }) => publishedIn(media)),
  };
}

function publishedIn(media: JsonObject): JsonValue[] {
  const named = Object.values(objectAt(media, 'examples')).flatMap((one) =>
    isJsonObject(one) && one['value'] !== undefined ? [one['value']] : [],
  );
  return media['example'] === undefined ? named : [media['example'], ...named];
}

function followed(root: JsonObject, value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const reference = value['$ref'];
  if (typeof reference !== 'string') return value;
  const target = resolvePointer(root, reference.slice(1));
  return isJsonObject(target) ? target : undefined;
}

function objectAt(holder: JsonObject, key: string): JsonObject {
  const value = holder[key];
  return isJsonObject(value) ? value : {};
}

/** The pointer to the schema of a side. */
export function pointerOfSubject({ path, direction, mediaTypes, status }: Subject): string {
  const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1');
  const holder = direction === 'input' ? 'requestBody' : `responses/${status}`;
  return `#/paths/${escaped(path)}/post/${holder}/content/${mediaTypes.map(escaped).join('|')}/schema`;
}
