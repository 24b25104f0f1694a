import { brotliCompressSync, gzipSync } from 'node:zlib';
import { replyHeader, type ServerReply } from '../../http/messages.ts';
import { all, changeHeader, counted, onReply, replace, set } from '../builders/changes.ts';
import { type Change, group, only, rowIn, type Variant, fault as variant } from '../builders/fault.ts';
import { allOperations, routerOperations } from '../builders/operations.ts';
import {
  creditsUsed,
  errorType,
  isRefusal,
  isReplay,
  readBytes,
  readObject,
  requestId,
  resolveHeaderName,
  upstreamStatus,
  withHeader,
  withoutHeader,
} from '../builders/replies.ts';

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

const completedVariant = rowIn((change: (reply: ServerReply) => ServerReply) =>
  onReply((reply) => (readObject(reply)['status'] === 'COMPLETED' ? change(reply) : reply)),
);

const spendOverTheCap = onReply((reply) => {
  const limit = Number(replyHeader(reply, spend('Limit')) ?? 0);
  return withHeader(withHeader(reply, spend('Current'), String(limit + 50)), spend('Remaining'), '0');
});

const countedId = counted(
  () => '',
  (reply, times, { context }) => withHeader(reply, resolveHeaderName(requestId, context), `req_${times}`),
);

const longId = changeHeader(requestId, (id = '') => `edge:${id.repeat(12)}/1`);

const moreDirectives = set.header('Cache-Control', 'Max-Age=300,Must-Revalidate,Private,No-Transform');

const allBodies = 'MR-SCH-04 MR-RUN-23 WX-JWF-04';
const isRefusalExcept504 = (status: number): boolean => isRefusal(status) && status !== 504;
const completed = { id: 'headers.retry-after', on: ['readStatus'], status: 200 } as const;

const asSubtype = onReply((reply) =>
  /^application\/json\b/.test(replyHeader(reply, 'content-type') ?? '')
    ? withHeader(reply, 'Content-Type', 'application/vnd.error+json')
    : reply,
);

const withCredits = onReply((reply, { context }) =>
  isReplay(reply) ? reply : withHeader(reply, resolveHeaderName(creditsUsed, context), '4'),
);
const markedFresh = onReply((reply) => (isReplay(reply) ? reply : withHeader(reply, 'Idempotent-Replayed', 'false')));

export const headerVariants: readonly Variant[] = [
  ...group({ id: 'json', on: allOperations, status: isRefusal }, [variant('error-subtype', 'MR-ERR-01', asSubtype)]),
  ...group({ id: 'headers.content-encoding', on: allOperations, subject: 'Every body is compressed' }, [
    variant('gzip', allBodies, compressed('gzip', gzipSync)),
    variant('brotli', allBodies, compressed('br', brotliCompressSync)),
  ]),
  ...group({ id: 'headers.retry-after', on: allOperations, subject: 'Every Retry-After' }, [
    variant('zero', 'MR-HDR-15', replace.header('Retry-After', '0')),
    // Not of a 429 or 503, which may pass sooner: a read that is refused for an hour cannot be judged.
    variant('longer', 'MR-STA-05 MR-COL-12 MR-IDM-11', replace.header('Retry-After', '3600'), {
      status: [200, 202, 409, 504],
    }),
  ]),
  ...group({ ...completed, subject: 'The status of a completed request' }, [
    completedVariant('absent-once-completed', 'MR-STA-05', (reply) => withoutHeader(reply, 'Retry-After')),
    completedVariant('long-once-completed', 'MR-STA-05', (reply) => withHeader(reply, 'Retry-After', '30')),
  ]),
  ...group({ id: 'headers.retry-after', on: routerOperations, status: isRefusalExcept504 }, [
    variant('on-refusals', 'MR-IDM-16', set.header('Retry-After', '5')),
  ]),
  ...group({ id: 'headers', on: allOperations }, [
    variant('category.on-successes', 'MR-HDR-04', set.header(errorType, 'none'), {
      on: routerOperations,
      status: (status) => status < 400,
    }),
  ]),
  ...group({ id: 'time', on: allOperations }, [
    variant('slow-now-and-then', 'MR-RUN-03 MR-IDM-04 MR-HDR-18', (app, { clock }) => {
      let count = 0;
      return async (request) => {
        count += 1;
        if (count % 7 === 0) await clock.sleep(4_000);
        return app(request);
      };
    }),
    variant('slow-answers', 'MR-SUB-02', (app, { clock }) => async (request) => {
      await clock.sleep(1_500);
      return app(request);
    }),
  ]),
  ...group({ id: 'headers', on: routerOperations, subject: 'Request ids' }, [
    variant('request-id.long', 'MR-HDR-01 MR-HDR-03', longId),
    variant('request-id-of-another-form', 'MR-HDR-01 MR-HDR-03', countedId),
  ]),
  ...group({ id: 'headers.spend', on: ['runModel'], status: 429, subject: 'A refused call' }, [
    variant('over-the-cap', 'MR-HDR-20 MR-HDR-21', spendOverTheCap),
  ]),
  ...group({ id: 'headers', on: ['submitRequest'], status: 201 }, [
    variant(
      'spend.on-submissions',
      'MR-RUN-35',
      all(set.header(spend('Limit'), '50'), set.header(spend('Current'), '20'), set.header(spend('Remaining'), '30')),
    ),
  ]),
  ...group({ id: 'headers.replayed', on: ['runModel', 'submitRequest'], subject: 'Idempotent-Replayed' }, [
    variant('false-on-fresh-answers', 'MR-HDR-14 MR-SUB-12', markedFresh),
  ]),
  ...group({ id: 'headers.credits-used', on: ['runModel'], status: 200 }, [
    variant('on-fresh-answers', 'MR-HDR-25 MR-HDR-27', withCredits),
  ]),
  ...group({ id: 'headers.upstream-status', on: ['runModel'], status: 200 }, [
    variant('on-results', 'MR-HDR-05', set.header(upstreamStatus, '201')),
  ]),
  ...group({ id: 'headers.cache-control', on: ['readSchemaDocument'], status: [200, 304], subject: 'Cache-Control' }, [
    variant('more-directives', 'MR-SCH-10', moreDirectives),
  ]),
  ...group({ id: 'headers.category', on: ['cancelRequest'], status: 409, subject: 'The 409 of a late cancellation' }, [
    variant('on-late-cancellation', 'MR-CAN-05', set.header(errorType, 'invalid_input')),
  ]),
];
