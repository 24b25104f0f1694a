import { asObject, extensionKey, isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { onJson, set, without } from '../builders/changes.ts';
import { type Change, group, type Variant, variant } from '../builders/fault.ts';

const further = { 'x-of-the-maker': { since: '2026-02', tags: ['stable'] }, 'x-weight': 3 };

/** Adds extension keys wherever OpenAPI allows them, including paths, responses and parts of schemas. */
function extended(value: JsonValue, depth: number): JsonValue {
  if (!isJsonObject(value) || depth > 8) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    name === 'properties' && isJsonObject(member) ? eachExtended(member, depth) : extended(member, depth + 1),
  ]);
  const isOpen = !('$ref' in value) && !dataMembers.some((name) => name in value);
  return Object.fromEntries([...members, ...(isOpen ? Object.entries(further) : [])]);
}

function eachExtended(properties: JsonObject, depth: number): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, extended(member, depth + 1)]));
}

/** Members whose values are example data instead of parts of the document. */
const dataMembers = ['example', 'examples', 'default', 'enum', 'const'];

/** Changes the request body of every operation that runs a model. */
function withBodies(document: JsonObject, change: (body: JsonObject) => JsonObject): JsonObject {
  const paths = Object.entries(asObject(document['paths'])).map(([path, item]): [string, JsonValue] => {
    const { post, ...rest } = asObject(item);
    const { requestBody, ...operation } = asObject(post);
    return [path, { ...rest, post: { ...operation, requestBody: change(asObject(requestBody)) } }];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/**
 * Moves the extension key for authored inputs into the request body, because the API doesn't define its location
 * (OP-027).
 */
const withMovedKey = (into: (body: JsonObject, flag: JsonObject) => JsonObject): Change =>
  onJson((document, { context }) => {
    const key = extensionKey(context.brand, 'input-schema-authored');
    const flag = document[key];
    return flag === undefined ? document : withBodies(without(document, key), (body) => into(body, { [key]: flag }));
  });

/** Moves the operation that runs the model to a short path. */
const underShortPaths = onJson(({ paths, ...document }) => {
  const items = Object.entries(asObject(paths));
  const renamed = items.map(([path, item], index) => [path.startsWith('/') ? `/${index}` : path, item]);
  return { ...document, paths: Object.fromEntries(renamed) };
});

const withExtensionKeys = onJson((document) => ({
  ...Object.fromEntries(Object.entries(document).map(([name, part]) => [name, extended(part, 1)])),
  ...further,
  tags: [{ name: 'models' }],
  externalDocs: { url: 'https://docs.example.test/models' },
  servers: [{ url: 'https://api.example.test' }],
}));

const withReferredBody = onJson((document) => {
  let input: JsonObject = {};
  const changed = withBodies(document, (body) => {
    input = body;
    return { $ref: '#/components/requestBodies/Input' };
  });
  return { ...changed, components: { ...asObject(document['components']), requestBodies: { Input: input } } };
});

const authoredByBody = withMovedKey((body, flag) => ({ ...body, ...flag }));
const authoredByMediaType = withMovedKey((body, flag) => {
  const content = Object.entries(asObject(body['content']));
  const changed = content.map(([type, media]) => [type, isJsonObject(media) ? { ...media, ...flag } : media]);
  return { ...body, content: Object.fromEntries(changed) };
});

export const schemaDocumentVariants: readonly Variant[] = group(
  { id: 'schema-document', on: 'readSchemaDocument', status: 200 },
  [
    variant('media-type.of-openapi', set.header('Content-Type', 'application/vnd.oai.openapi+json;version=3.1')),
    variant('extension-keys', withExtensionKeys),
    variant('request-body-referred', withReferredBody),
    variant('authored-by-body', authoredByBody),
    variant('authored-by-media-type', authoredByMediaType),
    variant('under-short-paths', underShortPaths),
  ],
);
