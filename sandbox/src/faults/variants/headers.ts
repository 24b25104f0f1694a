import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ServerReply } from '../../http/messages.ts';
import {
  all,
  changeHeader,
  onReply,
  onRequest,
  type ReplyChange,
  replaceHeader,
  setHeader,
  withState,
} from '../builders/changes.ts';
import { type Change, group, only, rowIn, type Variant, variant } from '../builders/fault.ts';
import { allOperations, routerOperations } from '../builders/operations.ts';
import {
  bytesOf,
  creditsUsed,
  errorType,
  headerNameOf,
  isRefusal,
  isReplay,
  objectOf,
  replyHeader,
  requestId,
  upstreamStatus,
  withHeader,
  withoutHeader,
} from '../builders/replies.ts';
import { withHeaders } from '../builders/requests.ts';

/** A caller that names no coding accepts any (RFC 9110, 12.5.3). */
const compressed = (coding: string, compress: (bytes: Uint8Array) => Uint8Array): Change =>
  only(
    { status: (status) => status !== 304 },
    onReply((reply) => {
      if (reply.body.length === 0) return reply;
      const before = replyHeader(reply, 'content-encoding');
      const named = withHeader(reply, 'Content-Encoding', before === undefined ? coding : `${before}, ${coding}`);
      return { ...named, body: new Uint8Array(compress(bytesOf(reply))) };
    }),
  );

const freshVariant = rowIn((change: ReplyChange) =>
  onReply((reply, around) => (isReplay(reply) ? reply : change(reply, around))),
);

const everySeventhSlow: Change = (app, { clock }) => {
  let count = 0;
  return async (request) => {
    count += 1;
    if (count % 7 === 0) await clock.sleep(4_000);
    return app(request);
  };
};

const spend = (part: 'Limit' | 'Current' | 'Remaining'): string => `X-Committed-Spend-${part}`;

const tagPrefix = 'sha512:build/7+';

const completedVariant = rowIn((change: (reply: ServerReply) => ServerReply) =>
  onReply((reply) => (objectOf(reply)['status'] === 'COMPLETED' ? change(reply) : reply)),
);

const etagLongAndOpaque = all(
  onRequest((request) =>
    withHeaders(request, { 'if-none-match': request.headers['if-none-match']?.replace(tagPrefix, '') }),
  ),
  changeHeader('ETag', (tag = '') => tag.replace(/^"/, `"${tagPrefix}`)),
);

const spendOverTheCap = onReply((reply) => {
  const limit = Number(replyHeader(reply, spend('Limit')) ?? 0);
  return withHeader(withHeader(reply, spend('Current'), String(limit + 50)), spend('Remaining'), '0');
});

const requestIdOfAnotherForm: Change = withState(() => {
  let count = 0;
  return changeHeader(requestId, () => {
    count += 1;
    return `req_${count}`;
  });
});

const requestIdWithPunctuation = changeHeader(requestId, (id) => `edge:${id}/1`);

const slowAnswers: Change =
  (app, { clock }) =>
  async (request) => {
    await clock.sleep(1_500);
    return app(request);
  };

const furtherHeaders = all(
  setHeader('Server-Timing', 'app;dur=12.5'),
  setHeader('Vary', 'Accept, Authorization'),
  setHeader('X-Request-Id', 'edge-1'),
  setHeader({ branded: 'Region' }, 'one'),
);

export const headerVariants: readonly Variant[] = [
  ...group({ id: 'headers', on: allOperations }, [
    variant(
      'content-encoding.gzip',
      ['MR-SCH-04', 'MR-RUN-23', 'WX-JWF-04'],
      'Every body is compressed with gzip',
      compressed('gzip', gzipSync),
    ),
    variant(
      'content-encoding.brotli',
      ['MR-SCH-04', 'MR-RUN-23', 'WX-JWF-04'],
      'Every body is compressed with Brotli',
      compressed('br', brotliCompressSync),
    ),
    variant('retry-after.zero', 'MR-HDR-15', 'Every Retry-After is zero', replaceHeader('Retry-After', '0')),
    variant(
      'retry-after.longer',
      ['MR-STA-05', 'MR-COL-12', 'MR-IDM-11'],
      'Every Retry-After is an hour',
      replaceHeader('Retry-After', '3600'),
    ),
    variant('extra', 'MR-HDR-01', 'Every reply has further headers, one of them with the brand', furtherHeaders),
    variant(
      'authenticate.on-401',
      ['MR-AUT-06', 'WX-AUT-07'],
      'Every 401 names the accepted schemes',
      setHeader('WWW-Authenticate', 'Bearer realm="router"'),
      { status: 401 },
    ),
    variant(
      'content-language.on-refusals',
      'MR-ERR-03',
      'Refusals name the language of their detail',
      setHeader('Content-Language', 'en'),
      { status: isRefusal },
    ),
  ]),
  ...group({ id: 'time', on: allOperations }, [
    variant(
      'slow-now-and-then',
      ['MR-RUN-03', 'MR-IDM-04', 'MR-HDR-18'],
      'Every seventh reply takes four seconds',
      everySeventhSlow,
    ),
    variant('slow-answers', 'MR-SUB-02', 'Every reply takes a second and a half', slowAnswers),
  ]),
  ...group({ id: 'headers', on: routerOperations }, [
    variant(
      'request-id.with-punctuation',
      ['MR-HDR-01', 'MR-HDR-03'],
      'Request ids hold colons and slashes',
      requestIdWithPunctuation,
    ),
    variant(
      'request-id-of-another-form',
      ['MR-HDR-01', 'MR-HDR-03'],
      'Request ids are short words with a counter',
      requestIdOfAnotherForm,
    ),
    variant(
      'retry-after.on-refusals',
      'MR-IDM-16',
      'Every router refusal has Retry-After, except a 504, where it would promise a result',
      setHeader('Retry-After', '5'),
      { status: (status) => isRefusal(status) && status !== 504 },
    ),
  ]),
  ...group({ id: 'headers', on: ['runModel', 'submitRequest'] }, [
    variant(
      'spend.over-the-cap',
      ['MR-HDR-20', 'MR-HDR-21'],
      'A refused call has more committed than the cap allows, and nothing remaining',
      spendOverTheCap,
      { on: ['runModel'], status: 429 },
    ),
    variant(
      'spend.on-submissions',
      'MR-RUN-35',
      'Handles state the committed spend too',
      all(setHeader(spend('Limit'), '50'), setHeader(spend('Current'), '20'), setHeader(spend('Remaining'), '30')),
      { on: ['submitRequest'], status: 201 },
    ),
    freshVariant(
      'replayed.false-on-fresh-answers',
      ['MR-HDR-14', 'MR-SUB-12'],
      'Idempotent-Replayed is false on fresh replies (NS-22)',
      (reply) => withHeader(reply, 'Idempotent-Replayed', 'false'),
    ),
    freshVariant(
      'credits-used.on-fresh-answers',
      ['MR-HDR-25', 'MR-HDR-27'],
      'Fresh results name the credits they used; replays do not',
      (reply, { context }) => withHeader(reply, headerNameOf(creditsUsed, context), '4'),
      { on: ['runModel'], status: 200 },
    ),
    variant(
      'upstream-status.on-results',
      'MR-HDR-05',
      'Results have an upstream status',
      setHeader(upstreamStatus, '201'),
      { on: ['runModel'], status: 200 },
    ),
  ]),
  ...group({ id: 'headers', on: ['readSchemaDocument'], status: [200, 304] }, [
    variant(
      'cache-control.more-directives',
      'MR-SCH-10',
      'Cache-Control has more than the two directives, in another order',
      setHeader('Cache-Control', 'max-age=300, must-revalidate, private, no-transform'),
    ),
    variant(
      'cache-control.capitals',
      'MR-SCH-10',
      'The directives of Cache-Control have capitals and no space between them',
      setHeader('Cache-Control', 'Private,Must-Revalidate'),
    ),
    variant(
      'etag.long-and-opaque',
      ['MR-SCH-08', 'MR-SCH-09'],
      'Entity tags are long and hold punctuation',
      etagLongAndOpaque,
    ),
  ]),
  ...group({ id: 'headers', on: ['readStatus', 'cancelRequest'] }, [
    completedVariant(
      'retry-after.absent-once-completed',
      'MR-STA-05',
      'The status of a completed request has no Retry-After (C-39)',
      (reply) => withoutHeader(reply, 'Retry-After'),
      { on: ['readStatus'], status: 200 },
    ),
    completedVariant(
      'retry-after.long-once-completed',
      'MR-STA-05',
      'The status of a completed request has a long Retry-After (C-39)',
      (reply) => withHeader(reply, 'Retry-After', '30'),
      { on: ['readStatus'], status: 200 },
    ),
    variant(
      'category.on-late-cancellation',
      'MR-CAN-05',
      'The 409 of a late cancellation names a category (C-01)',
      setHeader(errorType, 'invalid_input'),
      { on: ['cancelRequest'], status: 409 },
    ),
  ]),
];
