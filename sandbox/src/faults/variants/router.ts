import { isJsonObject } from '../../../../specs/src/index.ts';
import { sandboxCredentials } from '../../http/authentication.ts';
import { creditsUsed, replyHeader, requestId, type ServerRequest } from '../../http/messages.ts';
import { parseJson } from '../../parse-json.ts';
import {
  all,
  onJson,
  onJsonText,
  onReply,
  onRequest,
  refuse,
  remembering,
  resend,
  set,
  whileRunning,
} from '../builders/changes.ts';
import { only, posts, routerOperations, type Variant, variants } from '../builders/fault.ts';
import {
  asReplay,
  is,
  isRefusal,
  readBytes,
  readCategory,
  refusal,
  withHeader,
  withJson,
} from '../builders/replies.ts';
import {
  caller,
  hasKey,
  isOfModel,
  isUuid,
  readBodyText,
  readKey,
  readModelId,
  readQuery,
  readRequestId,
  withBody,
  withHeaders,
  withoutKey,
  withQuery,
} from '../builders/requests.ts';
import { changeLoc } from '../errors.ts';
import { asStillRunning, whereOtherBodyComes } from '../idempotency.ts';

const isUnusualTag = ({ headers }: { headers: Readonly<Record<string, string>> }): boolean =>
  /^(?:W\/|\*|$)/.test(headers['if-none-match'] ?? '');

const badRequest = refuse(400, 'invalid_input');
const refuseReplay = only({ reply: is.replay }, refuse(409, 'invalid_input'));

const otherWords =
  'Das ging leider nicht.\nBitte prüfen. 請再試一次 At 12:30:05 the limit of 1024:768 was exceeded. ' +
  'See https://docs.example.test/errors/limits:4, version 10.4.2, or v2/models. ' +
  'Validation Error: "select a model from the list" (field data/items/0).';
const wholeInput = { loc: [], msg: 'the input has to be an object', type: 'object_type' };

function isNoObject(request: ServerRequest): boolean {
  const value = parseJson(readBodyText(request));
  return value !== undefined && !isJsonObject(value);
}

/** Keeps results that others find too large to keep. */
const keepsLongResults = remembering(
  (request) => `${readKey(request)} ${readBodyText(request)}`,
  (reply) => reply.status === 200 && readBytes(reply).length > 1_000_000,
  async ({ reply }, { request, app }) => {
    const id = replyHeader(await app(request), requestId) ?? '';
    return withHeader(withHeader(asReplay(reply), creditsUsed, undefined), requestId, id);
  },
);

/** One call in flight for each caller; a further one is over the ceiling, whatever its key (OP-008). */
const oneInFlight = whileRunning(
  ({ headers }) => headers['x-api-key'] ?? headers['authorization'] ?? '',
  async (_, { request, app }) => {
    const refused = await app(withHeaders(request, { 'x-api-key': sandboxCredentials.router.spendCapped }));
    return refused.status === 429 ? refused : refusal(refused, 429, 'concurrency_limit_exceeded');
  },
);
const isOfStill = isOfModel('image-provider/still-2.1');

export const routerVariants: readonly Variant[] = [
  ...variants({ id: 'schema-document.conditional', on: ['readSchemaDocument'], when: isUnusualTag })({
    'strong-comparison': onRequest((request) => withHeaders(request, { 'if-none-match': undefined })),
  }),
  ...variants({ id: 'run.credits', on: ['runModel'], status: 400 })({
    'answered-with-402': only({ reply: (reply) => readCategory(reply) === 'insufficient_credits' }, set.status(402)),
  }),
  ...variants({ id: 'errors.validation', on: ['runModel', 'submitRequest'], status: 422 })({
    'prefixed-loc': changeLoc((loc) => ['body', ...loc]),
  }),
  ...variants({ id: 'errors.detail', on: routerOperations, status: (status) => isRefusal(status) && status !== 422 })({
    'other-words': onJson((body) => ('detail' in body ? { ...body, detail: otherWords.repeat(60) } : body)),
  }),
  ...variants({ id: 'errors.unlisted', on: ['unlisted'] })({
    'as-a-page': onReply(() => ({
      status: 404,
      headers: { 'Content-Type': 'text/html' },
      body: '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr>edge/1.27</body></html>',
    })),
    'as-400': refuse(400, 'invalid_input'),
  }),
  // Where a call is wrong in two ways, no order of the checks is given (OP-031).
  ...variants({ id: 'order', on: posts, status: isRefusal })({
    'malformed-body-first': only(
      { when: (request) => request.body !== 'too-large' && parseJson(readBodyText(request)) === undefined },
      badRequest,
    ),
    'unusable-key-first': only(
      { when: (request) => hasKey(request) && (readKey(request) === '' || readKey(request).length > 255) },
      badRequest,
    ),
  }),
  ...variants({ id: 'bodies', on: ['runModel', 'submitRequest'], status: 400 })({
    'non-objects-as-422': onReply((reply, around) =>
      isNoObject(around.request) ? withJson(reply, { detail: [wholeInput] }, 422) : reply,
    ),
    'read-as-other-letters': only(
      { when: (request) => readBodyText(request).includes('\uFFFD') },
      resend((request) => withBody(request, readBodyText(request))),
    ),
    'deep-ones-echoed': only(
      { when: (request) => readBodyText(request).includes('[[[[') },
      onReply((reply, { request }) => {
        const input = parseJson(readBodyText(request));
        return isJsonObject(input) ? withJson(reply, { detail: [{ ...wholeInput, input }] }, 422) : reply;
      }),
    ),
  }),
  ...variants({ id: 'limits', on: routerOperations, status: 404 })({
    'malformed-ids-as-400': only(
      {
        when: (request) =>
          /[%*A-Z]|[^/]{65}/.test(readModelId(request)) ||
          (readRequestId(request) !== '' && !isUuid(readRequestId(request))),
      },
      refuse(400, 'invalid_input'),
    ),
  }),
  ...variants({ id: 'idempotency.record', on: ['runModel'], when: hasKey })({
    'long-results-are-kept': keepsLongResults,
    'replays-are-spaced': only(
      { reply: is.replay },
      onJsonText((body) => JSON.stringify(body, null, 3)),
    ),
  }),
  ...variants({ id: 'limits', on: ['runModel'] })({
    'one-in-flight': oneInFlight,
    'strict-mode-alone': onRequest((request) =>
      readQuery(request).has('model_provider') ? request : withQuery(request, { strict_mode: undefined }),
    ),
  }),
  ...variants({ id: 'limits', on: ['runModel', 'submitRequest'], when: (request) => readKey(request) === '' })({
    'empty-key-is-none': onRequest(withoutKey),
  }),
  ...variants({ id: 'results', on: ['runModel', 'collectRequest'], when: isOfStill })({
    linked: all(refuseReplay, only({ status: 200 }, set.member('preview', 'https://cdn.example.test/p.png'))),
  }),
  ...variants({ id: 'results', on: ['runModel', 'collectRequest'], status: 200, when: isOfStill })({
    deviate: onJson((body) => ({ ...body, seed: 'one' })),
    'of-another-type': set.header('Content-Type', 'text/json'),
  }),
  ...variants({ id: 'idempotency.conflict', on: ['runModel'], status: 200 })({
    'while-running': whereOtherBodyComes(asStillRunning),
    'for-colleagues': only({ when: caller.isColleague }, refuseReplay),
  }),
];
