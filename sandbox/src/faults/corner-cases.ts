import { isJsonObject } from '../../../specs/src/index.ts';
import type { Decorator, Fault } from './decorator.ts';
import {
  type Answer,
  headerOf,
  parseBody,
  putTogether,
  rewriteAnswer,
  rewriteJson,
  takeApart,
  touches,
  withBody,
  withHeader,
} from './making/answer-rewrite.ts';
import { requestKey } from './making/idempotency-key.ts';
import { requestIdOf } from './making/operation-match.ts';
import { rewriteRequest, withQuery } from './making/request-rewrite.ts';
import { renameKey } from './run/keys.ts';

const hourMs = 60 * 60 * 1000;
const ran = { on: ['runModel'], status: 200 } as const;
const collected = { on: ['collectRequest'], status: 200 } as const;

const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';
const isFile = ({ headers }: Answer): boolean => !/json/.test(headers.get('content-type') ?? '');

function without(answer: Answer, name: string): Answer {
  const headers = new Headers(answer.headers);
  headers.delete(name);
  return { ...answer, headers };
}

const lostOn = (part: string, picks: (answer: Answer) => boolean): Decorator =>
  rewriteAnswer(ran, (answer) => (picks(answer) ? without(answer, `X-Committed-Spend-${part}`) : answer));

const cut = (where: typeof ran | typeof collected): Decorator =>
  rewriteAnswer(where, (answer) =>
    answer.body.length > 65_536 ? { ...answer, body: answer.body.slice(0, 65_536) } : answer,
  );

/** The key of a submission is kept for so many hours only. */
const submissionsKept =
  (hours: number): Decorator =>
  (app, context) => {
    const firsts = new Map<string, number>();
    return renameKey((key, request) => {
      if (!touches({ on: ['submitRequest'] }, request)) return key;
      const first = firsts.get(key) ?? context.clock.now();
      firsts.set(key, first);
      return context.clock.now() - first > hours * hourMs ? `${key}-later` : key;
    })(app, context);
  };

/** Handles by key, given out again for as long as the server runs. */
const handlesForEver: Decorator = (app, context) => {
  const handles = new Map<string, { response: Response; text: string }>();
  let count = 0;
  return async (request) => {
    const key = requestKey(request);
    if (key === undefined || !touches({ on: ['submitRequest'] }, request)) return app(request);
    const text = await request.clone().text();
    const response = await app(request);
    const slot = `${key} ${request.url} ${request.headers.get('x-api-key')}`;
    const known = handles.get(slot);
    if (known === undefined || known.text !== text) {
      if (response.status === 201) handles.set(slot, { response: response.clone(), text });
      return response;
    }
    count += 1;
    const again = withHeader(await takeApart(known.response.clone()), 'Idempotent-Replayed', 'true');
    return putTogether(withHeader(again, headerOf({ branded: 'Request-Id' }, context), `again-${count}`));
  };
};

/** Unkeyed submissions of one body share a request. */
const oneForEqualBodies: Decorator = (app, context) => {
  const handles = new Map<string, Response>();
  let count = 0;
  return async (request) => {
    if (requestKey(request) !== undefined || !touches({ on: ['submitRequest'] }, request)) return app(request);
    const call = `${request.url} ${request.headers.get('x-api-key')} ${await request.clone().text()}`;
    const known = handles.get(call);
    if (known !== undefined) {
      count += 1;
      const name = headerOf({ branded: 'Request-Id' }, context);
      return putTogether(withHeader(await takeApart(known.clone()), name, `same-${count}`));
    }
    const response = await app(request);
    if (response.status === 201) handles.set(call, response.clone());
    return response;
  };
};

/** The first late cancellation of a request is accepted as if it were in time. */
const acceptedOnce: Decorator = (app, context) => {
  const seen = new Set<string>();
  return rewriteAnswer({ on: ['cancelRequest'], status: 409 }, (answer, { request }) => {
    const id = requestIdOf(request) ?? '';
    if (seen.has(id)) return answer;
    seen.add(id);
    return { ...withBody(answer, { request_id: id, status: 'CANCELLATION_REQUESTED' }), status: 202 };
  })(app, context);
};

/** What was spent on failed calls stays reserved. */
const neverReleasedAfterFailures: Decorator = (app, context) => {
  let kept = 0;
  return rewriteAnswer({ on: ['runModel'] }, (answer) => {
    const upstream = headerOf({ branded: 'Upstream-Status' }, context);
    if (answer.status >= 400 && answer.headers.has(upstream)) kept += 3;
    const limit = Number(answer.headers.get('x-committed-spend-limit'));
    if (!answer.headers.has('x-committed-spend-current')) return answer;
    const current = Number(answer.headers.get('x-committed-spend-current')) + kept;
    const told = withHeader(answer, 'X-Committed-Spend-Current', String(current));
    return withHeader(told, 'X-Committed-Spend-Remaining', String(Math.max(0, limit - current)));
  })(app, context);
};

const trace =
  'Traceback (most recent call last):\n  File "/srv/router/run.py", line 12, in run\nValueError: no such limit';

/** Breaches in one corner only: of replays, of files, of what is large, of what comes late. */
export const cornerCaseFaults: readonly Fault[] = [
  {
    id: 'run.spend.limit-lost-on-replays',
    requirements: ['MR-RUN-35'],
    description: 'Replays do not tell the limit of committed spend.',
    decorate: lostOn('Limit', isReplay),
  },
  {
    id: 'run.spend.current-lost-on-files',
    requirements: ['MR-RUN-36'],
    description: 'Results that are no JSON do not tell the current committed spend.',
    decorate: lostOn('Current', isFile),
  },
  {
    id: 'run.spend.remaining-lost-on-replays',
    requirements: ['MR-RUN-37'],
    description: 'Replays do not tell the remaining committed spend.',
    decorate: lostOn('Remaining', isReplay),
  },
  {
    id: 'run.result.long-ones-cut',
    requirements: ['MR-RUN-23'],
    description: 'Results end after 65536 bytes.',
    decorate: cut(ran),
    trips: ['MR-COL-06'],
  },
  {
    id: 'outcomes.collected.long-ones-cut',
    requirements: ['MR-COL-06', 'MR-COL-04'],
    description: 'Collected results end after 65536 bytes.',
    decorate: cut(collected),
  },
  {
    id: 'run.first.file-marked-replayed',
    requirements: ['MR-HDR-14'],
    description: 'The first result under a key is marked as replayed when it is no JSON.',
    decorate: rewriteAnswer(ran, (answer, { request }) =>
      isFile(answer) && requestKey(request) !== undefined ? withHeader(answer, 'Idempotent-Replayed', 'true') : answer,
    ),
  },
  {
    id: 'run.retry.files-repeat-credits',
    requirements: ['MR-HDR-27'],
    description: 'The replay of a file tells credits.',
    decorate: rewriteAnswer(ran, (answer, { context }) =>
      isReplay(answer) && isFile(answer)
        ? withHeader(answer, headerOf({ branded: 'Credits-Used' }, context), '4')
        : answer,
    ),
  },
  {
    id: 'idempotency.record.files-replayed-under-another-label',
    requirements: ['MR-IDM-01'],
    description: 'The replay of a file has another media type.',
    decorate: rewriteAnswer(ran, (answer) =>
      isReplay(answer) && isFile(answer) ? withHeader(answer, 'Content-Type', 'application/octet-stream') : answer,
    ),
  },
  {
    id: 'errors.detail.tells-a-trace',
    requirements: ['MR-ERR-03'],
    description: 'The detail of a 400 is the trace of a program.',
    decorate: rewriteJson({ on: 'router', status: 400 }, (body) => ({ ...body, detail: trace })),
  },
  {
    id: 'retention.submission.kept-for-an-hour',
    requirements: ['MR-IDM-46'],
    description: 'The keys of submissions are forgotten after an hour.',
    decorate: submissionsKept(1),
  },
  {
    id: 'retention.submission.kept-for-ever',
    requirements: ['MR-IDM-48', 'MR-IDM-49'],
    description: 'The key of a submission gives its handle for as long as the server runs.',
    decorate: handlesForEver,
  },
  {
    id: 'submit.handle.shared-by-equal-bodies',
    requirements: ['MR-QUE-30'],
    description: 'Two submissions of one body are one request, without any key.',
    decorate: oneForEqualBodies,
  },
  {
    id: 'cancel.completed.accepted-the-first-time',
    requirements: ['MR-CAN-04', 'MR-STC-08'],
    description: 'The first cancellation of a completed request is answered with 202.',
    decorate: acceptedOnce,
  },
  {
    id: 'quotas.spend.never-released-after-failures',
    requirements: ['MR-HDR-18', 'MR-HDR-19'],
    description: 'What a failed call committed stays committed.',
    decorate: neverReleasedAfterFailures,
  },
  {
    id: 'providers.strict.false-means-true',
    requirements: ['MR-RUN-20', 'MR-RUN-24'],
    description: 'strict_mode=false is taken for true.',
    decorate: rewriteRequest(['runModel'], (request) =>
      new URL(request.url).searchParams.get('strict_mode') === 'false'
        ? { url: withQuery(request, (query) => query.set('strict_mode', 'true')) }
        : {},
    ),
    trips: ['MR-IDM-26'],
  },
  {
    id: 'assets.queue.links-of-the-queue-lead-nowhere',
    requirements: ['MR-AST-02'],
    description: 'The links of a collected result do not open.',
    decorate: rewriteAnswer(collected, (answer) => {
      const body = parseBody(answer);
      if (!isJsonObject(body)) return answer;
      const text = new TextDecoder().decode(answer.body).replaceAll('/__assets/service/', '/__assets/service/0');
      return { ...answer, body: new TextEncoder().encode(text) };
    }),
    trips: ['MR-COL-06'],
  },
];
