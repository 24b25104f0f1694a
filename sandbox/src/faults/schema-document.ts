import { newId } from '../digest.ts';
import type { Reply, ServerRequest } from '../http/messages.ts';
import {
  changeHeader,
  changeRepeats,
  failWith500,
  onReply,
  onRequest,
  onText,
  resend,
  set,
} from './builders/changes.ts';
import { type Fault, fault, group } from './builders/fault.ts';
import { asMain, isOfOneModel, type When, withHeaders } from './builders/requests.ts';

const isConditional: When = ({ headers }) => headers['if-none-match'] !== undefined;
const readTag = ({ headers }: ServerRequest): string => headers['if-none-match'] ?? '';
const withTag = (request: ServerRequest, tag: string | undefined): ServerRequest =>
  withHeaders(request, { 'if-none-match': tag });
const ignoreTag = onRequest((request) => withTag(request, undefined));
const matchAnyTag = onRequest((request) => withTag(request, '*'));
const unmodified = (reply: Reply): Reply => ({ ...reply, status: 304, body: '' });
const found = [200, 304];

const unmodifiedOnce = changeRepeats(
  () => '',
  (_, { request, app }) => app(withTag(request, undefined)),
);

/** Serves conditional calls as if they came from the main caller. */
const unlocked = resend((request) => withHeaders(asMain(request), { authorization: undefined }));

/** Removes all lists of required members from the document. */
const nothingRequired = onText((text) => text.replaceAll(/"required":\s*\[[^\]]*\]/g, '"required":[]'));
const inputMissing = onText((text) => text.replaceAll('"requestBody"', '"x-request-body"'));
const authoredFlagAsText = onText((text) =>
  text.replaceAll(/("[\w-]+-input-schema-authored":\s*)(true|false)/g, '$1"$2"'),
);
const weakTag = changeHeader('ETag', (tag = '') => `W/${tag}`);
const ofTheMoment = changeHeader('ETag', () => `"${newId()}"`);
const refersOutward = onText((text) => text.replace('"#/components/', '"shared.json#/components/'));

export const schemaDocumentFaults: readonly Fault[] = [
  ...group({ id: 'schema-document', on: 'readSchemaDocument', status: 200 }, [
    fault('etag.of-the-moment', ['MR-SCH-09'], ofTheMoment, { also: ['MR-SCH-12'] }),
    fault('cache-control.public', ['MR-SCH-10'], set.header('Cache-Control', 'public, must-revalidate')),
    fault('content.input-missing', ['MR-SCH-26'], inputMissing, {
      also: ['MR-CTG-09', 'MR-QUE-30', 'MR-RUN-02', 'MR-RUN-51'],
    }),
    fault('content.authored-flag-as-text', ['MR-SCH-30'], authoredFlagAsText),
    fault('content.refers-outward', ['MR-SCH-25'], refersOutward),
    fault('content.hides-what-is-required', ['MR-SCH-27'], nothingRequired, { when: isOfOneModel }),
  ]),
  ...group({ id: 'schema-document', on: 'readSchemaDocument' }, [
    fault('etag.weak-when-compressed', ['MR-SCH-08'], weakTag, {
      also: ['MR-SCH-12'],
      status: found,
      when: ({ headers }) => headers['accept-encoding']?.includes('gzip') === true,
    }),
  ]),
  ...group({ id: 'schema-document.not-modified', on: 'readSchemaDocument' }, [
    fault('never', ['MR-SCH-12'], ignoreTag),
    fault('for-any-tag', ['MR-SCH-12'], matchAnyTag, { when: isConditional }),
    fault('once-only', ['MR-SCH-12'], unmodifiedOnce, { status: 304 }),
    fault('never-for-one-model', ['MR-SCH-12'], ignoreTag, { when: isOfOneModel }),
    fault('tag-of-another', ['MR-SCH-15'], set.header('ETag', '"another-document"'), {
      status: 304,
    }),
  ]),
  ...group({ id: 'schema-document.conditional', on: ['listModels', 'readModel', 'readStatus'], status: 200 }, [
    fault('on-the-catalog', ['MR-SCH-23'], onReply(unmodified), {
      on: ['listModels', 'readModel'],
      when: isConditional,
    }),
    fault('status-is-unmodified', ['MR-SCH-23'], onReply(unmodified), {
      also: ['MR-RUN-02'],
      on: 'readStatus',
      when: isConditional,
    }),
  ]),
  ...group({ id: 'schema-document.conditional', on: 'readSchemaDocument' }, [
    fault('weak-tag-breaks', ['MR-SCH-12'], failWith500, {
      status: found,
      when: (request) => readTag(request).startsWith('W'),
    }),
    fault('unlocked-for-anybody', ['MR-SCH-18', 'MR-AUT-01'], unlocked, { status: 401, when: isConditional }),
    fault('unlocked-for-the-barred', ['MR-SCH-19'], unlocked, { status: 403, when: isConditional }),
  ]),
  ...group({ id: 'schema-document.unknown', on: 'readSchemaDocument', status: 404 }, [
    fault('empty-document', ['MR-SCH-20', 'MR-STC-05'], set.text('{}', 200)),
  ]),
];
