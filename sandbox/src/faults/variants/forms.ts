import { isJsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import { all, changeHeader, onJson, onReply, onRequest, withState } from '../builders/changes.ts';
import { type Change, group, only, type Variant, fault as variant } from '../builders/fault.ts';
import { posts, routerOperations } from '../builders/operations.ts';
import { urlMembers } from '../builders/queue.ts';
import {
  droppedParams,
  isReplay,
  mapObjects,
  readObject,
  requestId,
  withJson,
  without,
  withText,
} from '../builders/replies.ts';
import { withHeaders, withTarget } from '../builders/requests.ts';

const changeUrls = (change: (url: string) => string): Change =>
  onJson((body) => {
    const urls = urlMembers.flatMap(({ member }) => {
      const url = body[member];
      return typeof url === 'string' ? [[member, change(url)]] : [];
    });
    return { ...body, ...Object.fromEntries(urls) };
  });

const inCapitals = changeUrls((url) => url.replace(/^[a-z]+:\/\/[^/]+/, (origin) => origin.toUpperCase()));

/** URLs below a path that is described nowhere; the described ones work as well. */
const ownPaths = all(
  onRequest((request) => withTarget(request, (target) => target.replace(/^\/v2\/queued\//, '/v2/models/'))),
  changeUrls((url) => url.replace('/v2/models/', '/v2/queued/')),
);

/** Tags of one character, each of another document. */
const shortTags: Change = withState(() => {
  const tags: string[] = [];
  return all(
    onRequest((request) => {
      const known = request.headers['if-none-match']?.replace(
        /"(.)"/gu,
        (_, tag) => tags[tag.charCodeAt(0) - 0x23] ?? '""',
      );
      return known === undefined ? request : withHeaders(request, { 'if-none-match': known });
    }),
    changeHeader('ETag', (tag = '') => {
      if (!tags.includes(tag)) tags.push(tag);
      return `"${String.fromCharCode(0x23 + tags.indexOf(tag))}"`;
    }),
  );
});

const decodeList = (text: string): JsonValue[] => {
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list : [];
};
const reworded = (sentence: JsonValue): string =>
  `Nicht \u00fcbertragbar: [${String(sentence).split(' ')[0]}], denn "der Anbieter" kennt es nicht, a, b.`;
/** Sentences of another language, in ASCII as headers are. */
const otherSentences = changeHeader(droppedParams, (value) =>
  value === undefined
    ? undefined
    : JSON.stringify(decodeList(value).map(reworded)).replace(
        /[^\x20-\x7e]/g,
        (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`,
      ),
);
const encodedTwice = changeHeader(droppedParams, (value) => (value === undefined ? undefined : JSON.stringify(value)));

const spendHeaders = ['Limit', 'Current', 'Remaining'].map((part) => `X-Committed-Spend-${part}`);
const inMillions = all(
  ...spendHeaders.map((name) => changeHeader(name, (cents) => (cents === undefined ? undefined : `${cents}000000`))),
);

/** Entries in another order, in words of another language. */
const otherEntries = onJson((body) =>
  Array.isArray(body['detail'])
    ? {
        ...body,
        detail: mapObjects(body['detail'].toReversed(), (entry) => ({
          ...entry,
          msg: 'Das muß größer sein: "data" /a/b',
        })),
      }
    : body,
);

/** The operation that runs the model stands under a short path, with an id of its own. */
const underShortPath = onJson((document) => {
  const { paths } = document;
  if (!isJsonObject(paths)) return document;
  const renamed = Object.entries(paths).map(([path, item], index) => [path.startsWith('/') ? `/${index}` : path, item]);
  return { ...document, paths: Object.fromEntries(renamed) };
});

/** A replayed submission shows the request as it is now. */
const upToDate = onReply(async (reply, { request, app }) => {
  const url = readObject(reply)['status_url'];
  if (!isReplay(reply) || typeof url !== 'string') return reply;
  const { pathname: target } = new URL(url);
  const now = await app({
    ...withHeaders(request, { 'idempotency-key': undefined }),
    method: 'GET',
    target,
    body: new Uint8Array(),
  });
  return now.status === 200 ? withJson(reply, without(readObject(now), 'error_type')) : reply;
});

/** Links of the service with another word for their expiry. */
const otherwiseSigned = all(
  only(
    { on: ['openAsset'] },
    onRequest((request) => withTarget(request, (target) => target.replace('?until=', '?expires='))),
  ),
  only(
    { on: ['runModel', 'collectRequest'], status: 200 },
    onReply((reply) =>
      typeof reply.body === 'string' ? withText(reply, reply.body.replaceAll('?expires=', '?until=')) : reply,
    ),
  ),
);

export const formVariants: readonly Variant[] = [
  ...group({ id: 'queue.urls', on: [...routerOperations, 'unlisted'], subject: 'The URLs of a request' }, [
    variant('in-capitals', 'MR-QUE-18 MR-QUE-20', 'have scheme and host in capitals', inCapitals),
    variant('below-another-path', 'MR-QUE-20 MR-QUE-23 MR-QUE-26', 'lead below a path of their own', ownPaths),
  ]),
  ...group({ id: 'idempotency.submission', on: ['submitRequest'], status: 201, subject: 'A replayed submission' }, [
    variant('up-to-date', 'MR-SUB-12 MR-IDM-01', 'shows the request as it is now (NS-79)', upToDate),
  ]),
  ...group({ id: 'headers', on: routerOperations }, [
    variant('etag.of-one-character', 'MR-SCH-08 MR-SCH-09', 'Entity tags have one character', shortTags, {
      on: ['readSchemaDocument'],
      status: [200, 304],
    }),
    variant(
      'request-id.long',
      'MR-HDR-01 MR-HDR-03',
      'Request ids have four hundred characters',
      changeHeader(requestId, (id = '') => `${id}.`.repeat(12)),
    ),
    variant(
      'dropped-params.other-words',
      'MR-HDR-08',
      'Dropped parameters are named in another language',
      otherSentences,
    ),
    variant(
      'dropped-params.encoded-twice',
      'MR-HDR-06',
      'Dropped parameters are a JSON text in a JSON text (NS-25)',
      encodedTwice,
    ),
    variant('spend.of-millions', 'MR-HDR-17 MR-HDR-20', 'Amounts of committed spend have many digits', inMillions),
  ]),
  ...group({ id: 'errors.validation', on: posts, status: 422, subject: 'Entries of a 422' }, [
    variant('reworded', 'MR-ERR-11 MR-ERR-15', 'come in another order and language', otherEntries),
  ]),
  ...group({ id: 'schema-document', on: ['readSchemaDocument'], status: 200, subject: 'Schema documents' }, [
    variant('under-short-paths', 'MR-SCH-26', 'have a path that is not the one to call', underShortPath),
  ]),
  ...group({ id: 'assets.links', on: ['runModel', 'collectRequest', 'openAsset'], subject: 'Links to assets' }, [
    variant('otherwise-signed', 'MR-AST-02 MR-AST-15', 'do not show when they expire', otherwiseSigned),
  ]),
];
