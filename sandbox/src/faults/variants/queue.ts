import { isJsonObject, type JsonObject } from '../../../../specs/src/index.ts';
import type { Decorator, Variant } from '../decorator.ts';
import {
  type AnswerChange,
  parseBody,
  refusal,
  rewriteAnswer,
  rewriteJson,
  type Where,
  withBody,
} from '../making/answer-rewrite.ts';
import { without } from '../making/json-change.ts';
import { operationOf, requestIdOf } from '../making/operation-match.ts';

/** Wherever a status response stands: handle, status, and the 202 of an early collect. */
const statusBodies: Where = {
  on: ['submitRequest', 'readStatus', 'collectRequest'],
  status: (status) => status === 200 || status === 201 || status === 202,
};

function changeStatuses(change: (status: JsonObject) => JsonObject): Decorator {
  return rewriteJson(statusBodies, (body) => ('status_url' in body ? change(body) : body));
}

function changeUrls(change: (url: URL) => void): Decorator {
  return changeStatuses((status) => {
    const changed = ['status_url', 'response_url', 'cancel_url'].map((member) => {
      const url = new URL(String(status[member]));
      change(url);
      return [member, url.toString()];
    });
    return { ...status, ...Object.fromEntries(changed) };
  });
}

/** Of what is collected with 410 only what was cancelled, not what failed. */
function ifCancelled(change: AnswerChange): Decorator {
  return rewriteAnswer(cancelledCollect, (answer, around) => {
    const body = parseBody(answer);
    return isJsonObject(body) && body['error_type'] === 'cancelled' ? change(answer, around) : answer;
  });
}

function rename(words: Record<string, string>): Decorator {
  return changeStatuses((status) => ({ ...status, status: words[String(status['status'])] ?? status['status'] ?? '' }));
}

/** The second and every later call of an operation about the same request. */
function fromTheSecondOn(where: Where, change: AnswerChange): Decorator {
  return (app, context) => {
    const seen = new Set<string>();
    return rewriteAnswer(where, (answer, around) => {
      const id = requestIdOf(around.request) ?? '';
      if (seen.has(id)) return change(answer, around);
      seen.add(id);
      return answer;
    })(app, context);
  };
}

/** Cancellations repeated while the first may still take effect are answered like the first (NS-35). */
const repeatedCancel: Decorator = (app, context) => {
  const pending = new Set<string>();
  return rewriteAnswer({ on: ['cancelRequest'] }, (answer, { request }) => {
    const id = requestIdOf(request) ?? '';
    if (answer.status === 202) pending.add(id);
    const body = parseBody(answer);
    if (!pending.has(id) || !isJsonObject(body)) return answer;
    return { ...withBody(answer, { ...body, status: 'CANCELLATION_REQUESTED' }), status: 202 };
  })(app, context);
};

/** A cancellation that is only noted: the run goes on to its end and can be collected (MR-CAN-11). */
const noEffect: Decorator = (app) => async (request) => {
  if (operationOf(request) !== 'cancelRequest') return app(request);
  const status = await app(new Request(request.url.replace(/\/cancel$/, '/status'), { headers: request.headers }));
  const body: unknown = status.ok ? await status.clone().json() : undefined;
  if (!isJsonObject(body) || body['status'] === 'COMPLETED') return app(request);
  const answer = JSON.stringify({ request_id: body['request_id'], status: 'CANCELLATION_REQUESTED' });
  return new Response(answer, { status: 202, headers: status.headers });
};

const cancelledCollect: Where = { on: ['collectRequest'], status: 410 };

/** C-16: a failure may be told by 410 in place of a status with an error_type. */
const goneWhenFailed: Decorator = rewriteAnswer({ on: ['readStatus'], status: 200 }, (answer, { context }) => {
  const body = parseBody(answer);
  const category = isJsonObject(body) ? body['error_type'] : undefined;
  return typeof category !== 'string' || category === 'cancelled'
    ? answer
    : refusal(answer, context, { status: 410, category });
});

/** Signed anew for each answer. */
const urlsOfTheMoment: Decorator = (app, context) => {
  let count = 0;
  return changeUrls((url) => {
    count += 1;
    url.searchParams.set('signature', `s${count}`);
  })(app, context);
};

export const queueVariants: readonly Variant[] = [
  {
    id: 'queue.failed.status-as-410',
    requirements: ['MR-STA-09', 'MR-STC-09'],
    description: 'The status of a request that failed is answered with 410 (C-16).',
    decorate: goneWhenFailed,
  },
  {
    id: 'queue.urls.of-the-moment',
    requirements: ['MR-QUE-20', 'MR-QUE-23', 'MR-QUE-26'],
    description: 'Each answer gives other URLs of the same request.',
    decorate: urlsOfTheMoment,
  },
  {
    id: 'queue.words.other-names',
    requirements: ['MR-QUE-04', 'MR-QUE-05'],
    description: 'The two unnamed statuses have other names than the settings say (NS-01).',
    decorate: rename({ IN_QUEUE: 'WAITING', IN_PROGRESS: 'RUNNING' }),
  },
  {
    id: 'queue.words.starts-running',
    requirements: ['MR-SUB-10'],
    description: 'A request is running from the moment of its submission (NS-02).',
    decorate: rename({ IN_QUEUE: 'IN_PROGRESS' }),
  },
  {
    id: 'queue.position.absent',
    requirements: ['MR-QUE-07'],
    description: 'No answer tells the queue position.',
    decorate: changeStatuses((status) => without(status, 'queue_position')),
  },
  {
    id: 'queue.position.far-behind',
    requirements: ['MR-QUE-08'],
    description: 'The queue position is large, and told of completed requests too.',
    decorate: changeStatuses((status) => ({
      ...status,
      queue_position: 120_000 + Number(status['queue_position'] ?? 0),
    })),
  },
  {
    id: 'queue.urls.other-origin',
    requirements: ['MR-QUE-18', 'MR-QUE-19'],
    description: 'The URLs lead to another origin, as behind a proxy (NS-34).',
    decorate: changeUrls((url) => {
      url.host = 'queue.example.test';
      url.protocol = 'https:';
    }),
  },
  {
    id: 'queue.urls.with-query',
    requirements: ['MR-QUE-18', 'MR-QUE-20'],
    description: 'The URLs carry a query with a signature.',
    decorate: changeUrls((url) => url.searchParams.set('signature', 'a+b/c=')),
  },
  {
    id: 'queue.cancelled.unknown-error-type-on-collect',
    requirements: ['MR-ERR-27'],
    description: 'Collecting a cancelled request names an error type that the documents do not list.',
    decorate: ifCancelled((answer, { context }) =>
      refusal(answer, context, { status: 410, category: 'withdrawn_by_caller' }),
    ),
  },
  {
    id: 'queue.cancelled.collect-as-409',
    requirements: ['MR-COL-16', 'MR-COL-17'],
    description: 'Collecting a cancelled request is answered with 409 (NS-40).',
    decorate: ifCancelled((answer) => ({ ...answer, status: 409 })),
  },
  {
    id: 'queue.collect.once-only',
    requirements: ['MR-COL-04'],
    description: 'A result can be collected once; then the request is not found (NS-21).',
    decorate: fromTheSecondOn({ on: ['collectRequest'], status: 200 }, (answer, { context }) =>
      refusal(answer, context, { status: 404, category: 'request_not_found' }),
    ),
  },
  {
    id: 'queue.cancel.repeatable',
    requirements: ['MR-CAN-03'],
    description: 'A repeated cancellation is answered like the first (NS-35).',
    decorate: repeatedCancel,
  },
  {
    id: 'queue.cancel.without-effect',
    requirements: ['MR-CAN-11'],
    description: 'A cancellation is accepted, and the run finishes nonetheless.',
    decorate: noEffect,
  },
  {
    id: 'queue.cancel.malformed-id-not-found',
    requirements: ['MR-CAN-15'],
    description: 'Cancelling a request whose id is no UUID is answered with 404 (NS-37).',
    decorate: rewriteAnswer({ on: ['cancelRequest'], status: 400 }, (answer, { context }) =>
      refusal(answer, context, { status: 404, category: 'request_not_found' }),
    ),
  },
];
