import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { creditsUsed, errorType, type Reply, replyHeader, requestId, upstreamStatus } from '../../http/messages.ts';
import {
  all,
  changeByCount,
  drop,
  is,
  isRefusal,
  onReply,
  read,
  replace,
  set,
  withHeader,
} from '../builders/changes.ts';
import {
  allOperations,
  type Change,
  group,
  posts,
  routerOperations,
  type Variant,
  variant,
} from '../builders/fault.ts';

const brotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MIN_QUALITY } });

/** Alternates between Gzip and Brotli: a caller without Accept-Encoding accepts any (RFC 9110, 12.5.3). */
const compressed = changeByCount(
  () => '',
  (reply, times) => {
    if (reply.body.length === 0) return reply;
    const [coding, compress] = times % 2 === 0 ? (['gzip', gzipSync] as const) : (['br', brotli] as const);
    const before = replyHeader(reply, 'content-encoding');
    const named = withHeader(reply, 'Content-Encoding', before === undefined ? coding : `${before}, ${coding}`);
    return { ...named, body: new Uint8Array(compress(read.bytes(reply))) };
  },
);

const spend = (part: 'Limit' | 'Current' | 'Remaining'): string => `X-Committed-Spend-${part}`;

const spendOverTheCap = onReply((reply) => {
  const limit = Number(replyHeader(reply, spend('Limit')) ?? 0);
  return withHeader(withHeader(reply, spend('Current'), String(limit + 50)), spend('Remaining'), '0');
});

const isFresh = (reply: Reply): boolean => !is.replay(reply);

/** Delays every `every`-th reply by `ms`. */
const slow =
  (every: number, ms: number): Change =>
  (app, { clock }) => {
    let count = 0;
    return async (request) => {
      count += 1;
      if (count % every === 0) await clock.sleep(ms);
      return app(request);
    };
  };

/** Alternates between short and long request ids. */
const otherRequestIds = changeByCount(
  () => '',
  (reply, times) => withHeader(reply, requestId, times % 2 === 0 ? `req_${times}` : `edge:${'0'.repeat(430)}/${times}`),
);
const spendOnSubmissions = all(
  set.header(spend('Limit'), '50'),
  set.header(spend('Current'), '20'),
  set.header(spend('Remaining'), '30'),
);
const moreDirectives = set.header('Cache-Control', 'Max-Age=300,Must-Revalidate,Private,No-Transform');

export const headerVariants: readonly Variant[] = [
  ...group({ id: 'json', on: allOperations }, [
    variant('error-subtype', set.header('Content-Type', 'application/vnd.error+json'), {
      status: isRefusal,
      reply: is.json,
    }),
  ]),
  ...group({ id: 'time', on: allOperations }, [
    variant('slow-now-and-then', slow(7, 4_000)),
    variant('slow-answers', slow(1, 1_500)),
  ]),
  ...group({ id: 'headers', on: allOperations }, [
    variant('content-encoding', compressed, { status: (status) => status !== 304 }),
    variant('retry-after.zero', replace.header('Retry-After', '0')),
    // Not for 429 or 503: a read that is rejected for an hour cannot be checked.
    variant('retry-after.longer', replace.header('Retry-After', '3600'), { status: [200, 202, 409, 504] }),
  ]),
  ...group({ id: 'headers.retry-after', on: 'readStatus', status: 200, reply: is.completed }, [
    variant('absent-once-completed', drop.header('Retry-After')),
  ]),
  ...group({ id: 'headers', on: routerOperations }, [
    variant('retry-after.on-refusals', set.header('Retry-After', '5'), {
      status: (status) => isRefusal(status) && status !== 504,
    }),
    variant('category.on-successes', set.header(errorType, 'none'), { status: (status) => status < 400 }),
    variant('category.on-late-cancellation', set.header(errorType, 'invalid_input'), {
      on: 'cancelRequest',
      status: 409,
    }),
    variant('request-id.of-another-form', otherRequestIds),
    variant('spend.over-the-cap', spendOverTheCap, { on: 'runModel', status: 429 }),
    variant('spend.on-submissions', spendOnSubmissions, { on: 'submitRequest', status: 201 }),
    variant('replayed.false-on-fresh-answers', set.header('Idempotent-Replayed', 'false'), {
      on: posts,
      reply: isFresh,
    }),
    variant('credits-used.on-fresh-answers', set.header(creditsUsed, '4'), {
      on: 'runModel',
      status: 200,
      reply: isFresh,
    }),
    variant('upstream-status.on-results', set.header(upstreamStatus, '201'), { on: 'runModel', status: 200 }),
    variant('cache-control.more-directives', moreDirectives, { on: 'readSchemaDocument', status: [200, 304] }),
  ]),
];
