import { newId } from '../digest.ts';
import { type Reply, replyHeader, type ServerRequest } from '../http/messages.ts';
import { breakRow, changeHeader, later, onReply, onRequest, resend, set, withState } from './builders/changes.ts';
import { type Change, type Fault, fault, group, only } from './builders/fault.ts';
import { withHeader } from './builders/replies.ts';
import { asMain, hasHeader, isOfModel, lacksHeader, readModelId, withHeaders } from './builders/requests.ts';

const isConditional = hasHeader('if-none-match');
const readTag = ({ headers }: ServerRequest): string => headers['if-none-match'] ?? '';
const found = { status: [200, 304] };
const withTag = (request: ServerRequest, tag: string | undefined): ServerRequest =>
  withHeaders(request, { 'if-none-match': tag });
const ignoreTag = onRequest((request) => withTag(request, undefined));
const unmodified = (reply: Reply): Reply => ({ ...reply, status: 304, body: '' });

const changeTag = (change: (tag: string) => string): Change =>
  only(
    { status: [200, 304] },
    changeHeader('ETag', (tag = '') => change(tag)),
  );
const weakTag = changeTag((tag) => `W/${tag}`);
const acceptsGzip = ({ headers }: ServerRequest): boolean => headers['accept-encoding']?.includes('gzip') === true;

/** One tag for every document, understood when it comes back. */
const oneTagForAll: Change = (app, context, where) => {
  const tag = '"documents-v1"';
  const tagged = changeTag(() => tag)(app, context, where);
  return (request) => tagged(request.headers['if-none-match'] === tag ? withTag(request, '*') : request);
};

/** The tag of any document seen before counts for every document. */
const anyKnownTag: Change = withState(() => {
  const tags = new Map<string, string>();
  return onReply((reply, { request }) => {
    const [sent, model, tag] = [request.headers['if-none-match'], readModelId(request), replyHeader(reply, 'etag')];
    if (tag !== undefined) tags.set(model, tag);
    const isOfAnother = [...tags].some(([other, known]) => other !== model && known === sent);
    return isOfAnother && reply.status === 200 ? unmodified(reply) : reply;
  });
});

const unmodifiedOnce = later(
  () => '',
  (_, { request, app }) => app(withTag(request, undefined)),
);

/** A conditional call that is refused with this status is served as a call of the main key. */
const unlocks = (refused: number): Change =>
  only(
    { status: refused, when: isConditional },
    resend((request) => withHeaders(asMain(request), { authorization: undefined })),
  );

const listingTag = '"listing-v1"';

const taggedListing = onReply((reply, { request }) => {
  const tagged = withHeader(reply, 'ETag', listingTag);
  return request.headers['if-none-match'] === listingTag ? unmodified(tagged) : tagged;
});

const tagOfTheMoment = onReply((reply) => withHeader(reply, 'ETag', `"${newId()}"`));
const tagInLowerCase = onRequest((request) =>
  withTag(request, request.headers['if-none-match']?.toLowerCase().replace(/^w/, 'W')),
);

export const schemaDocumentCachingFaults: readonly Fault[] = [
  ...group({ id: 'schema-document', on: ['readSchemaDocument'] }, [
    fault('etag.weak-when-compressed', 'MR-SCH-08 also MR-SCH-12', weakTag, { when: acceptsGzip }),
    fault('etag.of-the-moment', 'MR-SCH-09 also MR-SCH-12', tagOfTheMoment, { status: 200 }),
    fault('etag.same-for-all', 'MR-SCH-09', oneTagForAll),
    fault('tag.compared-in-lower-case', 'MR-SCH-12 MR-SCH-09', tagInLowerCase, { when: isConditional }),
  ]),
  ...group({ id: 'schema-document.not-modified', on: ['readSchemaDocument'] }, [
    fault('never', 'MR-SCH-12', ignoreTag),
    fault(
      'for-any-tag',
      'MR-SCH-12',
      onRequest((request) => withTag(request, '*')),
      { when: isConditional },
    ),
    fault('for-the-tag-of-another-model', 'MR-SCH-12', anyKnownTag),
    fault('once-only', 'MR-SCH-12', unmodifiedOnce, { status: 304 }),
    fault('never-under-a-token', 'MR-SCH-12', ignoreTag, { when: lacksHeader('x-api-key') }),
    fault('never-for-one-model', 'MR-SCH-12', ignoreTag, { when: isOfModel('text-provider/embed') }),
  ]),
  ...group({ id: 'schema-document.not-modified', on: ['readSchemaDocument'], status: 304, subject: 'The 304' }, [
    fault('tag-of-another', 'MR-SCH-15', set.header('ETag', '"another-document"')),
  ]),
  ...group({ id: 'schema-document.conditional', on: ['listModels', 'readModel', 'readStatus'], status: 200 }, [
    fault('on-the-catalog', 'MR-SCH-23', onReply(unmodified), { on: ['listModels', 'readModel'], when: isConditional }),
    fault('listing-has-a-tag-too', 'MR-SCH-23', taggedListing, { on: ['listModels'] }),
    fault('status-is-unmodified', 'MR-SCH-23 also MR-RUN-02', onReply(unmodified), {
      on: ['readStatus'],
      when: isConditional,
    }),
  ]),
  ...group({ id: 'schema-document.conditional', on: ['readSchemaDocument'], subject: 'A conditional call' }, [
    breakRow('star-breaks', 'MR-SCH-12', (request) => readTag(request) === '*', found),
    breakRow('weak-tag-breaks', 'MR-SCH-12', (request) => /^W/.test(readTag(request)), found),
    breakRow('list-breaks', 'MR-SCH-12', (request) => /,/.test(readTag(request)), found),
    fault('unlocked-for-anybody', 'MR-SCH-18 MR-AUT-01', unlocks(401)),
    fault('unlocked-for-the-barred', 'MR-SCH-19', unlocks(403)),
    fault('any-model-is-unmodified', 'MR-SCH-20', onReply(unmodified), {
      status: 404,
      when: ({ headers }) => headers['if-none-match'] === '*',
    }),
  ]),
];
