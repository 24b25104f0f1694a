import { asObject, extensionKey, isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { newId } from '../digest.ts';
import type { ServerRequest } from '../http/messages.ts';
import {
  failWith500,
  omitMembers,
  onJson,
  onLaterCalls,
  onReply,
  onRequest,
  onText,
  resend,
  resendAsMainCaller,
  set,
} from './builders/changes.ts';
import { type Change, type Fault, fault, group, type Variant, variant } from './builders/fault.ts';
import { isForOneModel, type RequestCondition, withHeaders } from './builders/requests.ts';

const hasTag: RequestCondition = ({ headers }) => headers['if-none-match'] !== undefined;
const readTag = ({ headers }: ServerRequest): string => headers['if-none-match'] ?? '';
const withTag = (request: ServerRequest, tag: string | undefined): ServerRequest =>
  withHeaders(request, { 'if-none-match': tag });
export const ignoreTag = onRequest((request) => withTag(request, undefined));
const matchAnyTag = onRequest((request) => withTag(request, '*'));
const returnUnmodified = onReply((reply) => ({ ...reply, status: 304, body: '' }));
const successStatuses = [200, 304];

const returnUnmodifiedOnce = onLaterCalls(
  () => 'any document',
  () => resend((request) => withTag(request, undefined)),
);

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
    fault('content.hides-what-is-required', ['MR-SCH-27'], removeRequiredLists, { when: isForOneModel }),
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
    fault('for-any-tag', ['MR-SCH-12'], matchAnyTag, { when: hasTag }),
    fault('once-only', ['MR-SCH-12'], returnUnmodifiedOnce, { status: 304 }),
    fault('never-for-one-model', ['MR-SCH-12'], ignoreTag, { when: isForOneModel }),
    fault('tag-of-another', ['MR-SCH-15'], set.header('ETag', '"another-document"'), { status: 304 }),
  ]),
  ...group({ id: 'schema-document.conditional', on: ['listModels', 'readModel', 'readStatus'], status: 200 }, [
    fault('on-the-catalog', ['MR-SCH-23'], returnUnmodified, {
      on: ['listModels', 'readModel'],
      when: hasTag,
    }),
    fault('status-is-unmodified', ['MR-SCH-23'], returnUnmodified, {
      also: ['MR-RUN-02'],
      on: 'readStatus',
      when: hasTag,
    }),
  ]),
  ...group({ id: 'schema-document.conditional', on: 'readSchemaDocument' }, [
    fault('weak-tag-breaks', ['MR-SCH-12'], failWith500, {
      status: successStatuses,
      when: (request) => readTag(request).startsWith('W'),
    }),
    fault('unlocked-for-anybody', ['MR-SCH-18', 'MR-AUT-01'], resendAsMainCaller, { status: 401, when: hasTag }),
    fault('unlocked-for-the-barred', ['MR-SCH-19'], resendAsMainCaller, { status: 403, when: hasTag }),
  ]),
  ...group({ id: 'schema-document.unknown', on: 'readSchemaDocument', status: 404 }, [
    fault('empty-document', ['MR-SCH-20', 'MR-STC-05'], set.text('{}', 200)),
  ]),
];

const extensionKeys: JsonObject = { 'x-of-the-maker': { since: '2026-02', tags: ['stable'] }, 'x-weight': 3 };

/** Adds extension keys wherever OpenAPI allows them, including paths, responses and parts of schemas. */
function addExtensionKeys(value: JsonValue, depth: number): JsonValue {
  if (!isJsonObject(value) || depth > 8) return value;
  const extendMembers = (object: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(object).map(([name, member]) => [
        name,
        // `properties` has the schemas of an object by name, so an extension key in it would be another property.
        name === 'properties' && isJsonObject(member) ? extendMembers(member) : addExtensionKeys(member, depth + 1),
      ]),
    );
  const mayHaveKeys = !('$ref' in value) && !dataMembers.some((name) => name in value);
  return { ...extendMembers(value), ...(mayHaveKeys ? extensionKeys : {}) };
}

/** Members whose values are data and not parts of the document. An object with one of them gets no extension keys. */
const dataMembers = ['example', 'examples', 'default', 'enum', 'const'];

/** Changes the `requestBody` of each POST operation in a schema document. */
function changeRequestBodies(document: JsonObject, change: (body: JsonObject) => JsonObject): JsonObject {
  const paths = Object.entries(asObject(document['paths'])).map(([path, item]): [string, JsonValue] => {
    const { post, ...rest } = asObject(item);
    const { requestBody, ...operation } = asObject(post);
    return [path, { ...rest, post: { ...operation, requestBody: change(asObject(requestBody)) } }];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Moves the extension key `…-input-schema-authored` to a different place, because the API doesn't define its place (OP-027). */
const moveAuthoredKey = (addFlag: (body: JsonObject, flag: JsonObject) => JsonObject): Change =>
  onJson((document, { context }) => {
    const key = extensionKey(context.brand, 'input-schema-authored');
    const flag = document[key];
    return flag === undefined
      ? document
      : changeRequestBodies(omitMembers(document, key), (body) => addFlag(body, { [key]: flag }));
  });

/** Renames the paths to `/0`, `/1` and so on. */
const shortenPaths = onJson(({ paths, ...document }) => {
  const items = Object.entries(asObject(paths));
  const renamed = items.map(([path, item], index) => [path.startsWith('/') ? `/${index}` : path, item]);
  return { ...document, paths: Object.fromEntries(renamed) };
});

const addExtensionKeysToDocument = onJson((document) => ({
  ...Object.fromEntries(Object.entries(document).map(([name, part]) => [name, addExtensionKeys(part, 1)])),
  ...extensionKeys,
  tags: [{ name: 'models' }],
  externalDocs: { url: 'https://docs.example.test/models' },
  servers: [{ url: 'https://api.example.test' }],
}));

const referToRequestBody = onJson((document) => {
  let input: JsonObject = {};
  const changed = changeRequestBodies(document, (body) => {
    input = body;
    return { $ref: '#/components/requestBodies/Input' };
  });
  return { ...changed, components: { ...asObject(document['components']), requestBodies: { Input: input } } };
});

const moveAuthoredKeyToBody = moveAuthoredKey((body, flag) => ({ ...body, ...flag }));
const moveAuthoredKeyToMediaTypes = moveAuthoredKey((body, flag) => {
  const content = Object.entries(asObject(body['content']));
  const changed = content.map(([type, media]) => [type, isJsonObject(media) ? { ...media, ...flag } : media]);
  return { ...body, content: Object.fromEntries(changed) };
});

export const schemaDocumentVariants: readonly Variant[] = group(
  { id: 'schema-document', on: 'readSchemaDocument', status: 200 },
  [
    variant('media-type.of-openapi', set.header('Content-Type', 'application/vnd.oai.openapi+json;version=3.1')),
    variant('extension-keys', addExtensionKeysToDocument),
    variant('request-body-referred', referToRequestBody),
    variant('authored-by-body', moveAuthoredKeyToBody),
    variant('authored-by-media-type', moveAuthoredKeyToMediaTypes),
    variant('under-short-paths', shortenPaths),
  ],
);
