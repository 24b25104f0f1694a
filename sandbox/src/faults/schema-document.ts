import { asObject, extensionKey, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { newId } from '../digest.ts';
import type { Reply, ServerRequest } from '../http/messages.ts';
import { failWith500, onJson, onReply, onRequest, onText, remember, resend, set, without } from './builders/changes.ts';
import { type Change, type Fault, fault, group, type Variant, variant } from './builders/fault.ts';
import { asMain, isOfOneModel, type When, withHeaders } from './builders/requests.ts';

const isConditional: When = ({ headers }) => headers['if-none-match'] !== undefined;
const readTag = ({ headers }: ServerRequest): string => headers['if-none-match'] ?? '';
const withTag = (request: ServerRequest, tag: string | undefined): ServerRequest =>
  withHeaders(request, { 'if-none-match': tag });
const ignoreTag = onRequest((request) => withTag(request, undefined));
const matchAnyTag = onRequest((request) => withTag(request, '*'));
const asUnmodified = (reply: Reply): Reply => ({ ...reply, status: 304, body: '' });
const successStatuses = [200, 304];

const returnUnmodifiedOnce = remember(
  () => 'any document',
  () => resend((request) => withTag(request, undefined)),
);

/** Serves conditional calls as if they came from the main caller. */
const serveAsMainCaller = resend((request) => withHeaders(asMain(request), { authorization: undefined }));

/** Removes all lists of required members from the document. */
const removeRequiredLists = onText((text) => text.replaceAll(/"required":\s*\[[^\]]*\]/g, '"required":[]'));
const removeInputSchema = onText((text) => text.replaceAll('"requestBody"', '"x-request-body"'));
const printAuthoredFlagAsText = onText((text) =>
  text.replaceAll(/("[\w-]+-input-schema-authored":\s*)(true|false)/g, '$1"$2"'),
);
const weakenTag = set.header('ETag', (tag) => `W/${tag}`);
const useNewTagEachTime = set.header('ETag', () => `"${newId()}"`);
const referToOtherFile = onText((text) => text.replace('"#/components/', '"shared.json#/components/'));

export const schemaDocumentFaults: readonly Fault[] = [
  ...group({ id: 'schema-document', on: 'readSchemaDocument', status: 200 }, [
    fault('etag.of-the-moment', ['MR-SCH-09'], useNewTagEachTime, { also: ['MR-SCH-12'] }),
    fault('cache-control.public', ['MR-SCH-10'], set.header('Cache-Control', 'public, must-revalidate')),
    fault('content.input-missing', ['MR-SCH-26'], removeInputSchema, {
      also: ['MR-CTG-09', 'MR-QUE-30', 'MR-RUN-02', 'MR-RUN-51'],
    }),
    fault('content.authored-flag-as-text', ['MR-SCH-30'], printAuthoredFlagAsText),
    fault('content.refers-outward', ['MR-SCH-25'], referToOtherFile),
    fault('content.hides-what-is-required', ['MR-SCH-27'], removeRequiredLists, { when: isOfOneModel }),
  ]),
  ...group({ id: 'schema-document', on: 'readSchemaDocument' }, [
    fault('etag.weak-when-compressed', ['MR-SCH-08'], weakenTag, {
      also: ['MR-SCH-12'],
      status: successStatuses,
      when: ({ headers }) => headers['accept-encoding']?.includes('gzip') === true,
    }),
  ]),
  ...group({ id: 'schema-document.not-modified', on: 'readSchemaDocument' }, [
    fault('never', ['MR-SCH-12'], ignoreTag),
    fault('for-any-tag', ['MR-SCH-12'], matchAnyTag, { when: isConditional }),
    fault('once-only', ['MR-SCH-12'], returnUnmodifiedOnce, { status: 304 }),
    fault('never-for-one-model', ['MR-SCH-12'], ignoreTag, { when: isOfOneModel }),
    fault('tag-of-another', ['MR-SCH-15'], set.header('ETag', '"another-document"'), { status: 304 }),
  ]),
  ...group({ id: 'schema-document.conditional', on: ['listModels', 'readModel', 'readStatus'], status: 200 }, [
    fault('on-the-catalog', ['MR-SCH-23'], onReply(asUnmodified), {
      on: ['listModels', 'readModel'],
      when: isConditional,
    }),
    fault('status-is-unmodified', ['MR-SCH-23'], onReply(asUnmodified), {
      also: ['MR-RUN-02'],
      on: 'readStatus',
      when: isConditional,
    }),
  ]),
  ...group({ id: 'schema-document.conditional', on: 'readSchemaDocument' }, [
    fault('weak-tag-breaks', ['MR-SCH-12'], failWith500, {
      status: successStatuses,
      when: (request) => readTag(request).startsWith('W'),
    }),
    fault('unlocked-for-anybody', ['MR-SCH-18', 'MR-AUT-01'], serveAsMainCaller, { status: 401, when: isConditional }),
    fault('unlocked-for-the-barred', ['MR-SCH-19'], serveAsMainCaller, { status: 403, when: isConditional }),
  ]),
  ...group({ id: 'schema-document.unknown', on: 'readSchemaDocument', status: 404 }, [
    fault('empty-document', ['MR-SCH-20', 'MR-STC-05'], set.text('{}', 200)),
  ]),
];

const extensionKeys = { 'x-of-the-maker': { since: '2026-02', tags: ['stable'] }, 'x-weight': 3 };

/** Adds extension keys wherever OpenAPI allows them, including paths, responses and parts of schemas. */
function extended(value: JsonValue, depth: number): JsonValue {
  if (!isJsonObject(value) || depth > 8) return value;
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => [
    name,
    name === 'properties' && isJsonObject(member) ? eachExtended(member, depth) : extended(member, depth + 1),
  ]);
  const isOpen = !('$ref' in value) && !dataMembers.some((name) => name in value);
  return Object.fromEntries([...members, ...(isOpen ? Object.entries(extensionKeys) : [])]);
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
  ...extensionKeys,
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
