import { brotliCompressSync, gzipSync } from 'node:zlib';
import { isJsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Variant } from '../decorator.ts';
import {
  type AnswerChange,
  headerOf,
  parseBody,
  rewriteAnswer,
  setHeader,
  type Where,
  withHeader,
} from '../making/answer-rewrite.ts';
import { rewriteRequest } from '../making/request-rewrite.ts';

const ran: Where = { on: ['runModel'], status: 200 };
const documents: Where = { on: ['readSchemaDocument'], status: (status) => status === 200 || status === 304 };

const unlessReplayed =
  (change: AnswerChange): AnswerChange =>
  (answer, around) =>
    answer.headers.get('idempotent-replayed') === 'true' ? answer : change(answer, around);

function whenCompleted(change: AnswerChange): Decorator {
  return rewriteAnswer({ on: ['readStatus'], status: 200 }, (answer, around) => {
    const body = parseBody(answer);
    return isJsonObject(body) && body['status'] === 'COMPLETED' ? change(answer, around) : answer;
  });
}

const slow: Decorator = (app, context) => async (request) => {
  await context.clock.sleep(1_500);
  return app(request);
};

/** A caller that names no coding accepts any (RFC 9110, 12.5.3). */
const compressed = (coding: string, compress: (bytes: Uint8Array) => Uint8Array): Decorator =>
  rewriteAnswer({ on: 'any', status: (status) => status !== 304 }, (answer) => {
    if (answer.body.length === 0) return answer;
    const before = answer.headers.get('content-encoding');
    const named = withHeader(answer, 'Content-Encoding', before === null ? coding : `${before}, ${coding}`);
    return { ...named, body: new Uint8Array(compress(answer.body)) };
  });

/** Now and then an answer takes its time, and overtakes none. */
const unevenlySlow: Decorator = (app, context) => {
  let count = 0;
  return async (request) => {
    count += 1;
    if (count % 7 === 0) await context.clock.sleep(4_000);
    return app(request);
  };
};

export const headerVariants: readonly Variant[] = [
  {
    id: 'headers.content-encoding.gzip',
    requirements: ['MR-SCH-04', 'MR-RUN-23', 'WX-JWF-04'],
    description: 'Every body is compressed with gzip.',
    decorate: compressed('gzip', gzipSync),
  },
  {
    id: 'headers.content-encoding.brotli',
    requirements: ['MR-SCH-04', 'MR-RUN-23', 'WX-JWF-04'],
    description: 'Every body is compressed with Brotli.',
    decorate: compressed('br', brotliCompressSync),
  },
  {
    id: 'time.slow-now-and-then',
    requirements: ['MR-RUN-03', 'MR-IDM-04', 'MR-HDR-18'],
    description: 'Every seventh answer takes four seconds.',
    decorate: unevenlySlow,
  },
  {
    id: 'headers.retry-after.zero',
    requirements: ['MR-HDR-15'],
    description: 'Wherever Retry-After is sent it is zero.',
    decorate: rewriteAnswer({ on: 'any' }, (answer) =>
      answer.headers.has('retry-after') ? withHeader(answer, 'Retry-After', '0') : answer,
    ),
  },
  {
    id: 'headers.request-id.with-punctuation',
    requirements: ['MR-HDR-01', 'MR-HDR-03'],
    description: 'Request ids hold colons and slashes.',
    decorate: rewriteAnswer({ on: 'router' }, (answer, { context }) => {
      const name = headerOf({ branded: 'Request-Id' }, context);
      return withHeader(answer, name, `edge:${answer.headers.get(name)}/1`);
    }),
  },
  {
    id: 'headers.spend.over-the-cap',
    requirements: ['MR-HDR-20', 'MR-HDR-21'],
    description: 'A refused call is told that more is committed than the cap allows, and that nothing is left.',
    decorate: rewriteAnswer({ on: ['runModel'], status: 429 }, (answer) => {
      const limit = Number(answer.headers.get('x-committed-spend-limit'));
      const told = withHeader(answer, 'X-Committed-Spend-Current', String(limit + 50));
      return withHeader(told, 'X-Committed-Spend-Remaining', '0');
    }),
  },
  {
    id: 'headers.extra',
    requirements: ['MR-HDR-01'],
    description: 'Every answer carries further headers, one of them of the brand.',
    decorate: (app, context) => {
      const further = [
        setHeader({ on: 'any' }, 'Server-Timing', 'app;dur=12.5'),
        setHeader({ on: 'any' }, 'Vary', 'Accept, Authorization'),
        setHeader({ on: 'any' }, 'X-Request-Id', 'edge-1'),
        setHeader({ on: 'any' }, { branded: 'Region' }, 'one'),
      ];
      return further.reduce((inner, decorate) => decorate(inner, context), app);
    },
  },
  {
    id: 'headers.request-id-of-another-form',
    requirements: ['MR-HDR-01', 'MR-HDR-03'],
    description: 'Request ids are short words with a counter.',
    decorate: (app, context) => {
      let count = 0;
      return rewriteAnswer({ on: 'router' }, (answer) => {
        count += 1;
        return withHeader(answer, headerOf({ branded: 'Request-Id' }, context), `req_${count}`);
      })(app, context);
    },
  },
  {
    id: 'headers.cache-control.more-directives',
    requirements: ['MR-SCH-10'],
    description: 'Cache-Control holds further directives beside the two, in another order.',
    decorate: setHeader(documents, 'Cache-Control', 'max-age=300, must-revalidate, private, no-transform'),
  },
  {
    id: 'headers.cache-control.capitals',
    requirements: ['MR-SCH-10'],
    description: 'The directives of Cache-Control are written with capitals and without space.',
    decorate: setHeader(documents, 'Cache-Control', 'Private,Must-Revalidate'),
  },
  {
    id: 'headers.retry-after.longer',
    requirements: ['MR-STA-05', 'MR-COL-12', 'MR-IDM-11'],
    description: 'Wherever Retry-After is sent it is an hour.',
    decorate: rewriteAnswer({ on: 'any' }, (answer) =>
      answer.headers.has('retry-after') ? withHeader(answer, 'Retry-After', '3600') : answer,
    ),
  },
  {
    id: 'headers.retry-after.absent-once-completed',
    requirements: ['MR-STA-05'],
    description: 'The status of a completed request has no Retry-After (C-39).',
    decorate: whenCompleted((answer) => {
      const headers = new Headers(answer.headers);
      headers.delete('retry-after');
      return { ...answer, headers };
    }),
  },
  {
    id: 'headers.retry-after.long-once-completed',
    requirements: ['MR-STA-05'],
    description: 'The status of a completed request has a long Retry-After (C-39).',
    decorate: whenCompleted((answer) => withHeader(answer, 'Retry-After', '30')),
  },
  {
    id: 'headers.retry-after.on-refusals',
    requirements: ['MR-IDM-16'],
    description: 'Every refusal of the router carries Retry-After, but a 504, on which it would promise a collection.',
    decorate: setHeader({ on: 'router', status: (status) => status >= 400 && status !== 504 }, 'Retry-After', '5'),
  },
  {
    id: 'headers.replayed.false-on-fresh-answers',
    requirements: ['MR-HDR-14', 'MR-SUB-12'],
    description: 'Idempotent-Replayed is false on what is no replay (NS-22).',
    decorate: rewriteAnswer(
      { on: ['runModel', 'submitRequest'] },
      unlessReplayed((answer) => withHeader(answer, 'Idempotent-Replayed', 'false')),
    ),
  },
  {
    id: 'headers.credits-used.on-fresh-answers',
    requirements: ['MR-HDR-25', 'MR-HDR-27'],
    description: 'Fresh results name the credits they used; replays do not.',
    decorate: rewriteAnswer(
      ran,
      unlessReplayed((answer, { context }) => withHeader(answer, headerOf({ branded: 'Credits-Used' }, context), '4')),
    ),
  },
  {
    id: 'headers.upstream-status.on-results',
    requirements: ['MR-HDR-05'],
    description: "Results name the provider's own status.",
    decorate: setHeader(ran, { branded: 'Upstream-Status' }, '201'),
  },
  {
    id: 'headers.spend.on-submissions',
    requirements: ['MR-RUN-35'],
    description: 'Handles state the committed spend too.',
    decorate: (app, context) =>
      Object.entries({ Limit: '50', Current: '20', Remaining: '30' })
        .map(([part, cents]) => setHeader({ on: ['submitRequest'], status: 201 }, `X-Committed-Spend-${part}`, cents))
        .reduce((inner, decorate) => decorate(inner, context), app),
  },
  {
    id: 'headers.category.on-late-cancellation',
    requirements: ['MR-CAN-05'],
    description: 'The 409 of a cancellation that comes too late names a category (C-01).',
    decorate: setHeader({ on: ['cancelRequest'], status: 409 }, { branded: 'Error-Type' }, 'invalid_input'),
  },
  {
    id: 'headers.authenticate.on-401',
    requirements: ['MR-AUT-06', 'WX-AUT-07'],
    description: 'Every 401 names the schemes that are accepted.',
    decorate: setHeader({ on: 'any', status: 401 }, 'WWW-Authenticate', 'Bearer realm="router"'),
  },
  {
    id: 'headers.etag.long-and-opaque',
    requirements: ['MR-SCH-08', 'MR-SCH-09'],
    description: 'Entity tags are long, with punctuation inside.',
    decorate: (app, context) => {
      const prefix = 'sha512:build/7+';
      const tagged = rewriteAnswer(documents, (answer) =>
        withHeader(answer, 'ETag', (answer.headers.get('etag') ?? '').replace(/^"/, `"${prefix}`)),
      );
      const understood = rewriteRequest(['readSchemaDocument'], (request) => ({
        headers: { 'if-none-match': request.headers.get('if-none-match')?.replace(prefix, '') },
      }));
      return tagged(understood(app, context), context);
    },
  },
  {
    id: 'headers.content-language.on-refusals',
    requirements: ['MR-ERR-03'],
    description: 'Refusals name the language of their detail.',
    decorate: setHeader({ on: 'any', status: (status) => status >= 400 }, 'Content-Language', 'en'),
  },
  {
    id: 'time.slow-answers',
    requirements: ['MR-SUB-02'],
    description: 'Every answer takes a second and a half.',
    decorate: slow,
  },
];
