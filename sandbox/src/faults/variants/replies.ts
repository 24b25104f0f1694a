import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import type { JsonValue } from '../../../../specs/src/index.ts';
import { newId } from '../../digest.ts';
import { workflowAccounts } from '../../http/authentication.ts';
import {
  creditsUsed,
  droppedParams,
  errorType,
  type Reply,
  replyHeader,
  requestId,
  upstreamStatus,
} from '../../http/messages.ts';
import {
  combineChanges,
  drop,
  is,
  isErrorStatus,
  mapObjects,
  omitMembers,
  onEachCall,
  onJson,
  onReply,
  onRequest,
  onText,
  readReply,
  set,
  withError,
  withHeader,
  withJson,
} from '../builders/changes.ts';
import {
  type Change,
  group,
  restrictTo,
  routerOperations,
  specifiedOperations,
  startOperations,
  type Variant,
  variant,
} from '../builders/fault.ts';
import {
  caller,
  isForWorkflowApi,
  type RequestCondition,
  readRequest,
  toGetRequest,
  withHeaders,
  withTarget,
} from '../builders/requests.ts';

const compressWithBrotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MIN_QUALITY } });

/** Alternates between Gzip and Brotli: a caller without Accept-Encoding accepts any (RFC 9110, 12.5.3). */
const compressReplies = onEachCall((count) =>
  onReply((reply) => {
    if (reply.body.length === 0) return reply;
    const [coding, compress] = count % 2 === 0 ? (['gzip', gzipSync] as const) : (['br', compressWithBrotli] as const);
    const before = replyHeader(reply, 'content-encoding');
    const named = withHeader(reply, 'Content-Encoding', before === undefined ? coding : `${before}, ${coding}`);
    return { ...named, body: new Uint8Array(compress(readReply.bytes(reply))) };
  }),
);

const spendHeader = (part: 'Limit' | 'Current' | 'Remaining'): string => `X-Committed-Spend-${part}`;

const reportSpendOverTheCap = onReply((reply) => {
  const limit = Number(replyHeader(reply, spendHeader('Limit')) ?? 0);
  return withHeader(withHeader(reply, spendHeader('Current'), String(limit + 50)), spendHeader('Remaining'), '0');
});

const isNotReplay = (reply: Reply): boolean => !is.replay(reply);

/** Delays every `every`-th reply by `ms`. */
const delayReplies = (every: number, ms: number): Change =>
  onEachCall((count) => (app, { clock }) => async (request) => {
    if (count % every === 0) await clock.sleep(ms);
    return app(request);
  });

/** Alternates between short and long request ids. */
const useShortAndLongRequestIds = onEachCall((count) =>
  set.header(requestId, count % 2 === 0 ? `req_${count}` : `edge:${'0'.repeat(430)}/${count}`),
);
const addSpendToSubmissions = combineChanges(
  set.header(spendHeader('Limit'), '50'),
  set.header(spendHeader('Current'), '20'),
  set.header(spendHeader('Remaining'), '30'),
);
const addCacheDirectives = set.header('Cache-Control', 'Max-Age=300,Must-Revalidate,Private,No-Transform');

/** Uses undocumented paths in URLs. The documented paths work as well. */
const useUndocumentedPaths = combineChanges(
  onRequest((request) => withTarget(request, (target) => target.replace('/v2/queued/', '/v2/models/'))),
  onText((text) => text.replace(/(?<=_url":"[^"]*)\/v2\/models\//g, '/v2/queued/')),
);

/** Alternates between entity tags of one character and long ones, and maps them to the original tags. */
const useShortAndLongTags: Change = (app, context, where) => {
  const originals = new Map<string, string>();
  const restore = (sent: string): string => sent.replace(/"[^"]*"/g, (tag) => originals.get(tag) ?? tag);
  return combineChanges(
    onRequest((request) =>
      withHeaders(request, {
        'if-none-match': request.headers['if-none-match'] && restore(request.headers['if-none-match']),
      }),
    ),
    set.header('ETag', (tag) => {
      const name =
        originals.size % 2 === 0 ? String.fromCharCode(0x23 + originals.size) : `sha512:build/7+,${tag.slice(1, -1)}`;
      const known = [...originals].find(([, one]) => one === tag)?.[0] ?? `"${name}"`;
      originals.set(known, tag);
      return known;
    }),
  )(app, context, where);
};

const reword = (sentence: JsonValue): string =>
  `Nicht \\u00fcbertragbar: [${String(sentence).split(' ')[0]}], denn \\"der Anbieter\\" kennt es nicht, a, b.`;
const otherMembers = {
  msg: 'Das muß größer sein: "data" in /a/b',
  type: 'image_too_small',
  ctx: { min: { width: 64 } },
  input: null,
  url: 'about:blank',
};
const rewordEntries = onJson(({ detail, ...body }) => ({
  ...body,
  detail: Array.isArray(detail) ? mapObjects(detail.toReversed(), (entry) => ({ ...entry, ...otherMembers })) : null,
}));

/** Shows the current state of the request in a replayed submission. */
const replayCurrentState = onReply(async (reply, { request, app }) => {
  const { pathname: target } = new URL(String(readReply.object(reply)['status_url']));
  const now = await app(toGetRequest(request, target));
  return now.status === 200 ? withJson(reply, omitMembers(readReply.object(now), 'error_type')) : reply;
});

/** Uses a different parameter name for the expiry of signed links. */
const renameExpiryParameter = combineChanges(
  onRequest((request) => withTarget(request, (target) => target.replace('?until=', '?expires='))),
  restrictTo(
    { on: ['runModel', 'collectRequest'] },
    onText((text) => text.replaceAll('?expires=', '?until=')),
  ),
);

const capitaliseOrigin = onText((text) =>
  text.replace(/(?<=_url":")[^/]+\/\/[^/]+/g, (origin) => origin.toUpperCase()),
);
const rewordSentences = set.header(droppedParams, (value) => {
  const sentences: JsonValue[] = JSON.parse(value);
  return `[${sentences.map((one) => `"${reword(one)}"`).join(' , ')}]`;
});
const multiplySpend = combineChanges(
  ...(['Limit', 'Current', 'Remaining'] as const).map((part) =>
    set.header(spendHeader(part), (cents) => `${cents}000000`),
  ),
);

/** By error category of the router: its status, and the equivalent status and code of the workflow API. */
const rejections = {
  service_unavailable: { status: 503, workflowReply: [429, 'rate_limited'] },
  internal_error: { status: 503, workflowReply: [500, 'upstream_error'] },
  rate_limited: { status: 429, workflowReply: [429, 'rate_limited'] },
} as const;

/** True for reads of callers whose rate limit is not used up. */
const isReadWithinLimit: RequestCondition = (request) =>
  request.method === 'GET' &&
  !caller.isOverRate(request) &&
  workflowAccounts.get(readRequest.credential(request))?.quota !== 'used-up';

/** Temporarily rejects some reads, depending on the number of earlier reads. Never rejects calls that may start work. */
const rejectSomeReads = (
  category: keyof typeof rejections,
  seconds: number,
  isBusy: (count: number) => boolean,
): Change =>
  onEachCall((count) => (app) => async (request) => {
    if (!isBusy(count)) return app(request);
    const { status, workflowReply } = rejections[category];
    const empty: Reply = { status, headers: { 'Retry-After': String(seconds) }, body: '' };
    if (!isForWorkflowApi(request)) return withError(withHeader(empty, requestId, newId()), status, category);
    const [code, word] = workflowReply;
    const labelled = withHeader(empty, 'Content-Type', 'application/json');
    return withJson(labelled, { error: { code: word, message: 'Not now.' } }, code);
  });

const failFirstCall = rejectSomeReads('service_unavailable', 1, (count) => count === 1);
const failEverySixthCall = rejectSomeReads('internal_error', 0, (count) => count % 6 === 0);
const failTwoConsecutiveCalls = rejectSomeReads('rate_limited', 1, (count) => count % 60 < 2);

export const replyVariants: readonly Variant[] = [
  ...group({ id: 'json', on: specifiedOperations }, [
    variant('error-subtype', set.header('Content-Type', 'application/vnd.error+json'), {
      status: isErrorStatus,
      reply: is.json,
    }),
  ]),
  ...group({ id: 'time', on: specifiedOperations }, [
    variant('slow-now-and-then', delayReplies(7, 4_000)),
    variant('slow-answers', delayReplies(1, 1_500)),
  ]),
  ...group({ id: 'headers', on: specifiedOperations }, [
    variant('content-encoding', compressReplies, { status: (status) => status !== 304 }),
    variant(
      'retry-after.zero',
      set.header('Retry-After', () => '0'),
    ),
    // Not for 429 or 503: a read that is rejected for an hour cannot be checked.
    variant(
      'retry-after.longer',
      set.header('Retry-After', () => '3600'),
      { status: [200, 202, 409, 504] },
    ),
  ]),
  ...group({ id: 'headers.retry-after', on: 'readStatus', status: 200, reply: is.completed }, [
    variant('absent-once-completed', drop.header('Retry-After')),
  ]),
  ...group({ id: 'headers', on: routerOperations }, [
    variant('retry-after.on-refusals', set.header('Retry-After', '5'), {
      status: (status) => isErrorStatus(status) && status !== 504,
    }),
    variant('category.on-successes', set.header(errorType, 'none'), { status: (status) => status < 400 }),
    variant('category.on-late-cancellation', set.header(errorType, 'invalid_input'), {
      on: 'cancelRequest',
      status: 409,
    }),
    variant('request-id.of-another-form', useShortAndLongRequestIds),
    variant('spend.over-the-cap', reportSpendOverTheCap, { on: 'runModel', status: 429 }),
    variant('spend.on-submissions', addSpendToSubmissions, { on: 'submitRequest', status: 201 }),
    variant('replayed.false-on-fresh-answers', set.header('Idempotent-Replayed', 'false'), {
      on: startOperations,
      reply: isNotReplay,
    }),
    variant('credits-used.on-fresh-answers', set.header(creditsUsed, '4'), {
      on: 'runModel',
      status: 200,
      reply: isNotReplay,
    }),
    variant('upstream-status.on-results', set.header(upstreamStatus, '201'), { on: 'runModel', status: 200 }),
    variant('cache-control.more-directives', addCacheDirectives, { on: 'readSchemaDocument', status: [200, 304] }),
  ]),
  ...group({ id: 'queue', on: [...routerOperations, 'unlisted'] }, [
    variant('urls.in-capitals', capitaliseOrigin),
    variant('urls.below-another-path', useUndocumentedPaths),
  ]),
  ...group({ id: 'idempotency.submission', on: 'submitRequest', status: 201 }, [
    variant('up-to-date', replayCurrentState, { reply: is.replay }),
  ]),
  ...group({ id: 'headers.etag', on: 'readSchemaDocument', status: [200, 304] }, [
    variant('of-any-length', useShortAndLongTags),
  ]),
  ...group({ id: 'headers', on: routerOperations }, [
    variant('dropped-params.other-words', rewordSentences),
    variant(
      'dropped-params.encoded-twice',
      set.header(droppedParams, (value) => JSON.stringify(value)),
    ),
    variant('spend.of-millions', multiplySpend),
  ]),
  ...group({ id: 'errors.validation', on: startOperations, status: 422 }, [variant('reworded', rewordEntries)]),
  ...group({ id: 'assets.links', on: ['runModel', 'collectRequest', 'openAsset'] }, [
    variant('otherwise-signed', renameExpiryParameter),
  ]),
  ...group({ id: 'transient', on: [...specifiedOperations, 'lookUpJob'], when: isReadWithinLimit }, [
    variant('first-read', failFirstCall),
    variant('now-and-then', failEverySixthCall),
    variant('twice-in-a-row', failTwoConsecutiveCalls),
  ]),
];
