import { isJsonObject, measureJson } from '../../../../specs/src/index.ts';
import { sandboxCredentials } from '../../http/authentication.ts';
import { creditsUsed, replyHeader, requestId } from '../../http/messages.ts';
import { parseJson } from '../../parse-json.ts';
import {
  all,
  asReplay,
  is,
  isRefusal,
  onJson,
  onReply,
  onRequest,
  read,
  refusal,
  refuse,
  remember,
  resend,
  set,
  whileRunning,
  withHeader,
  withJson,
  withText,
} from '../builders/changes.ts';
import { group, only, posts, routerOperations, type Variant, variant } from '../builders/fault.ts';
import { caller, hasKey, isUuid, sent, type When, withBody, withHeaders, withoutKey } from '../builders/requests.ts';
import { changeLoc } from '../errors.ts';
import { changeBodyConflict, rejectAsRunning } from '../idempotency.ts';

const isUnusualTag: When = ({ headers }) => /^(?:W\/|\*|$)/.test(headers['if-none-match'] ?? '');
const tagIgnored = onRequest((request) => withHeaders(request, { 'if-none-match': undefined }));

const badRequest = refuse(400, 'invalid_input');
const refuseReplay = only({ reply: is.replay }, refuse(409, 'invalid_input'));

const otherWords =
  'Das ging leider nicht.\nBitte prüfen. 請再試一次 At 12:30:05 the limit of 1024:768 was exceeded. ' +
  'See https://docs.example.test/errors/limits:4, version 10.4.2, or v2/models. ' +
  'Validation Error: "select a model from the list" (field data/items/0).';
const inOtherWords = onJson((body) => ('detail' in body ? { ...body, detail: otherWords.repeat(60) } : body));
const prefixedLoc = changeLoc((loc) => ['body', ...loc]);
const wholeInput = { loc: [], msg: 'the input has to be an object', type: 'object_type' };

const wholeInputWrong = onReply((reply) => withJson(reply, { detail: [wholeInput] }, 422));
const isNotObject: When = (request) => {
  const value = parseJson(sent.text(request));
  return value !== undefined && !isJsonObject(value);
};
const readAsOtherLetters = resend((request) => withBody(request, sent.text(request)));

/** Replays results that the healthy sandbox considers too large to replay. */
const keepsLongResults = remember(
  (request) => `${sent.key(request)} ${sent.text(request)}`,
  ({ reply: first }) =>
    onReply((reply) => {
      const id = replyHeader(reply, requestId) ?? '';
      return withHeader(withHeader(asReplay(first), creditsUsed, undefined), requestId, id);
    }),
  { isKept: (reply) => reply.status === 200 && read.bytes(reply).length > 1_000_000 },
);

/** Limits each caller to one call in flight, and rejects further calls regardless of their key (OP-008). */
const oneInFlight = whileRunning(
  ({ headers }) => headers['x-api-key'] ?? headers['authorization'] ?? '',
  () => (app) => async (request) => {
    const refused = await app(withHeaders(request, { 'x-api-key': sandboxCredentials.router.spendCapped }));
    return refused.status === 429 ? refused : refusal(refused, 429, 'concurrency_limit_exceeded');
  },
);
/** Adds a link to each result, and rejects replays, because the link would have expired. */
const addPreviewLink = all(
  refuseReplay,
  only({ status: 200 }, set.member('preview', 'https://cdn.example.test/p.png')),
);
const isStillModel: When = (request) => sent.modelId(request) === 'image-provider/still-2.1';

const indentJson = onReply((reply) => withText(reply, JSON.stringify(read.json(reply), null, 3)));
const returnErrorPage = onReply(() => ({
  status: 404,
  headers: { 'Content-Type': 'text/html' },
  body: '<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr>edge/1.27</body></html>',
}));
const echoInputInError = onReply((reply, { request }) => {
  const input = parseJson(sent.text(request));
  return isJsonObject(input) ? withJson(reply, { detail: [{ ...wholeInput, input }] }, 422) : reply;
});

const isInvalidJson: When = (request) => request.body !== 'too-large' && parseJson(sent.text(request)) === undefined;
const hasUnusableKey: When = (request) =>
  hasKey(request) && (sent.key(request) === '' || sent.key(request).length > 255);
const isDeep: When = ({ body }) => body !== 'too-large' && measureJson(body).deepest > 100;
const hasMalformedId: When = (request) =>
  /[%*A-Z]|[^/]{65}/.test(sent.modelId(request)) ||
  (sent.requestId(request) !== '' && !isUuid(sent.requestId(request)));

export const routerVariants: readonly Variant[] = [
  ...group({ id: 'schema-document.conditional', on: 'readSchemaDocument', when: isUnusualTag }, [
    variant('strong-comparison', tagIgnored),
  ]),
  ...group({ id: 'run.credits', on: 'runModel', status: 400, category: 'insufficient_credits' }, [
    variant('answered-with-402', set.status(402)),
  ]),
  ...group({ id: 'errors', on: routerOperations }, [
    variant('validation.prefixed-loc', prefixedLoc, { on: posts, status: 422 }),
    variant('detail.other-words', inOtherWords, { status: (status) => isRefusal(status) && status !== 422 }),
  ]),
  ...group({ id: 'errors.unlisted', on: 'unlisted' }, [
    variant('as-a-page', returnErrorPage),
    variant('as-400', badRequest),
  ]),
  // If a call has two errors, the order of checks is undefined (OP-031).
  ...group({ id: 'order', on: posts, status: isRefusal }, [
    variant('malformed-first', badRequest, { when: (request) => isInvalidJson(request) || hasUnusableKey(request) }),
  ]),
  ...group({ id: 'bodies', on: posts, status: 400 }, [
    variant('non-objects-as-422', wholeInputWrong, { when: isNotObject }),
    variant('read-as-other-letters', readAsOtherLetters, { when: (request) => sent.text(request).includes('\uFFFD') }),
    variant('deep-ones-echoed', echoInputInError, { when: isDeep }),
  ]),
  ...group({ id: 'limits', on: 'runModel' }, [
    variant('malformed-ids-as-400', badRequest, { on: routerOperations, status: 404, when: hasMalformedId }),
    variant('one-in-flight', oneInFlight),
    variant('empty-key-is-none', onRequest(withoutKey), { on: posts, when: (request) => sent.key(request) === '' }),
  ]),
  ...group({ id: 'idempotency', on: 'runModel', when: hasKey }, [
    variant('record.long-results-are-kept', keepsLongResults),
    variant('record.replays-are-spaced', indentJson, { reply: (reply) => is.replay(reply) && is.json(reply) }),
    variant('conflict.while-running', changeBodyConflict(rejectAsRunning)),
    variant('conflict.for-colleagues', refuseReplay, { status: 200, when: caller.isColleague }),
  ]),
  ...group({ id: 'results', on: ['runModel', 'collectRequest'], when: isStillModel }, [
    variant('linked', addPreviewLink),
    variant('deviate', set.member('seed', 'one'), { status: 200 }),
    variant('of-another-type', set.header('Content-Type', 'text/json'), { status: 200 }),
  ]),
];
