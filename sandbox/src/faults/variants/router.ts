import { isJsonObject } from '../../../../specs/src/index.ts';
import { sandboxCredentials } from '../../http/authentication.ts';
import { creditsUsed, replyHeader, requestId } from '../../http/messages.ts';
import { parseJson } from '../../parse-json.ts';
import {
  combineChanges,
  is,
  isErrorStatus,
  markAsReplay,
  onConcurrentCalls,
  onJson,
  onLaterCalls,
  onReply,
  onRequest,
  readReply,
  rejectAs400,
  replyWithError,
  resend,
  set,
  withError,
  withHeader,
  withJson,
  withText,
} from '../builders/changes.ts';
import { group, restrictTo, routerOperations, startOperations, type Variant, variant } from '../builders/fault.ts';
import {
  caller,
  hasKey,
  isDeeplyNested,
  isUuid,
  type RequestCondition,
  readRequest,
  withBody,
  withHeaders,
  withoutKey,
} from '../builders/requests.ts';
import { changeLoc } from '../errors.ts';
import { changeBodyConflict, rejectAsRunning } from '../idempotency.ts';
import { ignoreTag } from '../schema-document.ts';

/** True if the first entity tag in `If-None-Match` is weak or `*`. */
const hasWeakTagOrWildcard: RequestCondition = ({ headers }) => /^(?:W\/|\*)/.test(headers['if-none-match'] ?? '');

const rejectReplays = restrictTo({ reply: is.replay }, replyWithError(409, 'invalid_input'));

const otherWords =
  'Das ging leider nicht.\nBitte prüfen. 請再試一次 At 12:30:05 the limit of 1024:768 was exceeded. ' +
  'See https://docs.example.test/errors/limits:4, version 10.4.2, or v2/models. ' +
  'Validation Error: "select a model from the list" (field data/items/0).';
const replaceDetail = onJson((body) => ('detail' in body ? { ...body, detail: otherWords.repeat(60) } : body));
const prefixLoc = changeLoc((loc) => ['body', ...loc]);
const wholeInputEntry = { loc: [], msg: 'the input has to be an object', type: 'object_type' };

const rejectWholeInput = onReply((reply) => withJson(reply, { detail: [wholeInputEntry] }, 422));
/** True for a JSON body that is not an object. */
const hasNonObjectBody: RequestCondition = (request) => {
  const value = parseJson(readRequest.text(request));
  return value !== undefined && !isJsonObject(value);
};
/** Accepts a body that is not UTF-8: each invalid byte becomes U+FFFD. */
const replaceInvalidUtf8 = resend((request) => withBody(request, readRequest.text(request)));

/** Replays results of more than a million bytes, which the healthy sandbox does not replay. */
const replayLongResults = onLaterCalls(
  (request) => `${readRequest.key(request)} ${readRequest.text(request)}`,
  ({ reply: first }) =>
    onReply((reply) => {
      const id = replyHeader(reply, requestId) ?? '';
      return withHeader(withHeader(markAsReplay(first), creditsUsed, undefined), requestId, id);
    }),
  { isRemembered: (reply) => reply.status === 200 && readReply.bytes(reply).length > 1_000_000 },
);

/**
 * Limits each caller to one call in flight, and rejects further calls regardless of their key (OP-008). Sends a rejected call
 * with a credential at its spend cap, so that the 429 has the healthy headers.
 */
const limitToOneCallInFlight = onConcurrentCalls(
  ({ headers }) => headers['x-api-key'] ?? headers['authorization'] ?? '',
  () => (app) => async (request) => {
    const rejected = await app(withHeaders(request, { 'x-api-key': sandboxCredentials.router.spendCapped }));
    return rejected.status === 429 ? rejected : withError(rejected, 429, 'concurrency_limit_exceeded');
  },
);
/** Adds a link to each result. Rejects replays, because the link could have expired by then. */
const addPreviewLink = combineChanges(
  rejectReplays,
  restrictTo({ status: 200 }, set.member('preview', 'https://cdn.example.test/p.png')),
);
const isForStillModel: RequestCondition = (request) => readRequest.modelId(request) === 'image-provider/still-2.1';

const indentJson = onReply((reply) => withText(reply, JSON.stringify(readReply.json(reply), null, 3)));
const returnErrorPage = onReply(() => ({
  status: 404,
  headers: { 'Content-Type': 'text/html' },
  body: '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr>edge/1.27</body></html>',
}));
const echoInputInError = onReply((reply, { request }) => {
  const input = parseJson(readRequest.text(request));
  return isJsonObject(input) ? withJson(reply, { detail: [{ ...wholeInputEntry, input }] }, 422) : reply;
});

const hasInvalidJson: RequestCondition = (request) =>
  request.body !== 'too-large' && parseJson(readRequest.text(request)) === undefined;
const hasUnusableKey: RequestCondition = (request) =>
  hasKey(request) && (readRequest.key(request) === '' || readRequest.key(request).length > 255);
const hasMalformedId: RequestCondition = (request) =>
  /[%*A-Z]|[^/]{65}/.test(readRequest.modelId(request)) ||
  (readRequest.requestId(request) !== '' && !isUuid(readRequest.requestId(request)));

export const routerVariants: readonly Variant[] = [
  ...group({ id: 'schema-document.conditional', on: 'readSchemaDocument', when: hasWeakTagOrWildcard }, [
    variant('strong-comparison', ignoreTag),
  ]),
  ...group({ id: 'run.credits', on: 'runModel', status: 400, category: 'insufficient_credits' }, [
    variant('answered-with-402', set.status(402)),
  ]),
  ...group({ id: 'errors', on: routerOperations }, [
    variant('validation.prefixed-loc', prefixLoc, { on: startOperations, status: 422 }),
    variant('detail.other-words', replaceDetail, { status: (status) => isErrorStatus(status) && status !== 422 }),
  ]),
  ...group({ id: 'errors.unlisted', on: 'unlisted' }, [
    variant('as-a-page', returnErrorPage),
    variant('as-400', rejectAs400),
  ]),
  // If a call has two errors, the order of checks is undefined (OP-031).
  ...group({ id: 'order', on: startOperations, status: isErrorStatus }, [
    variant('malformed-first', rejectAs400, { when: (request) => hasInvalidJson(request) || hasUnusableKey(request) }),
  ]),
  ...group({ id: 'bodies', on: startOperations, status: 400 }, [
    variant('non-objects-as-422', rejectWholeInput, { when: hasNonObjectBody }),
    variant('read-as-other-letters', replaceInvalidUtf8, {
      when: (request) => readRequest.text(request).includes('\uFFFD'),
    }),
    variant('deep-ones-echoed', echoInputInError, { when: isDeeplyNested }),
  ]),
  ...group({ id: 'limits', on: 'runModel' }, [
    variant('malformed-ids-as-400', rejectAs400, { on: routerOperations, status: 404, when: hasMalformedId }),
    variant('one-in-flight', limitToOneCallInFlight),
    variant('empty-key-is-none', onRequest(withoutKey), {
      on: startOperations,
      when: (request) => readRequest.key(request) === '',
    }),
  ]),
  ...group({ id: 'idempotency', on: 'runModel', when: hasKey }, [
    variant('record.long-results-are-kept', replayLongResults),
    variant('record.replays-are-spaced', indentJson, { reply: (reply) => is.replay(reply) && is.json(reply) }),
    variant('conflict.while-running', changeBodyConflict(rejectAsRunning)),
    variant('conflict.for-colleagues', rejectReplays, { status: 200, when: caller.isColleague }),
  ]),
  ...group({ id: 'results', on: ['runModel', 'collectRequest'], when: isForStillModel }, [
    variant('linked', addPreviewLink),
    variant('deviate', set.member('seed', 'one'), { status: 200 }),
    variant('of-another-type', set.header('Content-Type', 'text/json'), { status: 200 }),
  ]),
];
