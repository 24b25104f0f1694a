import { brotliCompressSync, gzipSync } from 'node:zlib';
import { creditsUsed, errorType, type Reply, replyHeader, requestId, upstreamStatus } from '../../http/messages.ts';
import { all, changeHeader, counted, drop, onReply, replace, set } from '../builders/changes.ts';
import {
  allOperations,
  type Change,
  only,
  posts,
  routerOperations,
  type Variant,
  variants,
} from '../builders/fault.ts';
import { is, isRefusal, readBytes, withHeader } from '../builders/replies.ts';

/** A caller that names no coding accepts any (RFC 9110, 12.5.3). */
const compressed = (coding: string, compress: (bytes: Uint8Array) => Uint8Array): Change =>
  only(
    { status: (status) => status !== 304 },
    onReply((reply) => {
      if (reply.body.length === 0) return reply;
      const before = replyHeader(reply, 'content-encoding');
      const named = withHeader(reply, 'Content-Encoding', before === undefined ? coding : `${before}, ${coding}`);
      return { ...named, body: new Uint8Array(compress(readBytes(reply))) };
    }),
  );

const spend = (part: 'Limit' | 'Current' | 'Remaining'): string => `X-Committed-Spend-${part}`;

const spendOverTheCap = onReply((reply) => {
  const limit = Number(replyHeader(reply, spend('Limit')) ?? 0);
  return withHeader(withHeader(reply, spend('Current'), String(limit + 50)), spend('Remaining'), '0');
});

const isRefusalExcept504 = (status: number): boolean => isRefusal(status) && status !== 504;

const isFresh = (reply: Reply): boolean => !is.replay(reply);

export const headerVariants: readonly Variant[] = [
  ...variants({ id: 'json', on: allOperations, status: isRefusal })({
    'error-subtype': only({ reply: is.json }, set.header('Content-Type', 'application/vnd.error+json')),
  }),
  ...variants({ id: 'headers.content-encoding', on: allOperations })({
    gzip: compressed('gzip', gzipSync),
    brotli: compressed('br', brotliCompressSync),
  }),
  ...variants({ id: 'headers.retry-after', on: allOperations })({
    zero: replace.header('Retry-After', '0'),
    // Not of a 429 or 503, which may pass sooner: a read that is refused for an hour cannot be judged.
    longer: only({ status: [200, 202, 409, 504] }, replace.header('Retry-After', '3600')),
  }),
  ...variants({ id: 'headers.retry-after', on: ['readStatus'], status: 200, reply: is.completed })({
    'absent-once-completed': drop.header('Retry-After'),
    'long-once-completed': set.header('Retry-After', '30'),
  }),
  ...variants({ id: 'headers.retry-after', on: routerOperations, status: isRefusalExcept504 })({
    'on-refusals': set.header('Retry-After', '5'),
  }),
  ...variants({ id: 'headers', on: allOperations })({
    'category.on-successes': only(
      { on: routerOperations, status: (status) => status < 400 },
      set.header(errorType, 'none'),
    ),
  }),
  ...variants({ id: 'time', on: allOperations })({
    'slow-now-and-then': (app, { clock }) => {
      let count = 0;
      return async (request) => {
        count += 1;
        if (count % 7 === 0) await clock.sleep(4_000);
        return app(request);
      };
    },
    'slow-answers':
      (app, { clock }) =>
      async (request) => {
        await clock.sleep(1_500);
        return app(request);
      },
  }),
  ...variants({ id: 'headers', on: routerOperations })({
    'request-id.long': changeHeader(requestId, (id = '') => `edge:${id.repeat(12)}/1`),
    'request-id-of-another-form': counted(
      () => '',
      (reply, times) => withHeader(reply, requestId, `req_${times}`),
    ),
  }),
  ...variants({ id: 'headers.spend', on: ['runModel'], status: 429 })({ 'over-the-cap': spendOverTheCap }),
  ...variants({ id: 'headers', on: ['submitRequest'], status: 201 })({
    'spend.on-submissions': all(
      set.header(spend('Limit'), '50'),
      set.header(spend('Current'), '20'),
      set.header(spend('Remaining'), '30'),
    ),
  }),
  ...variants({ id: 'headers.replayed', on: posts, reply: isFresh })({
    'false-on-fresh-answers': set.header('Idempotent-Replayed', 'false'),
  }),
  ...variants({ id: 'headers.credits-used', on: ['runModel'], status: 200, reply: isFresh })({
    'on-fresh-answers': set.header(creditsUsed, '4'),
  }),
  ...variants({ id: 'headers.upstream-status', on: ['runModel'], status: 200 })({
    'on-results': set.header(upstreamStatus, '201'),
  }),
  ...variants({ id: 'headers.cache-control', on: ['readSchemaDocument'], status: [200, 304] })({
    'more-directives': set.header('Cache-Control', 'Max-Age=300,Must-Revalidate,Private,No-Transform'),
  }),
  ...variants({ id: 'headers.category', on: ['cancelRequest'], status: 409 })({
    'on-late-cancellation': set.header(errorType, 'invalid_input'),
  }),
];
