import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import type { Decorator, Fault } from './decorator.ts';
import {
  changeStatus,
  dropHeader,
  headerOf,
  parseBody,
  putTogether,
  refusal,
  rewriteAnswer,
  setCategory,
  takeApart,
  touches,
  type Where,
  withBody,
  withHeader,
  withText,
} from './making/answer-rewrite.ts';
import { requestKey } from './making/idempotency-key.ts';
import { changeMember, dropMember, setMember } from './making/json-change.ts';
import { modelIdOf } from './making/operation-match.ts';
import { rewriteRequest } from './making/request-rewrite.ts';

const on = ['submitRequest'] as const;
const created: Where = { on, status: 201 };
const missing: Where = { on, status: 404 };

export function relative(url: unknown): string {
  return new URL(String(url)).pathname;
}

/** A replayed submission gets an id that nobody can follow. */
const newIdOnReplay: Decorator = rewriteAnswer(created, (answer) => {
  const body = parseBody(answer);
  if (answer.headers.get('idempotent-replayed') !== 'true' || !isJsonObject(body)) return answer;
  return withBody(answer, { ...body, request_id: '99999999-9999-4999-8999-999999999999' });
});

/** Unkeyed submissions of one body share a request. */
const oneForEqualBodies: Decorator = (app, context) => {
  const handles = new Map<string, Response>();
  let count = 0;
  return async (request) => {
    if (requestKey(request) !== undefined || !touches({ on: ['submitRequest'] }, request)) return app(request);
    const text = await request.clone().text();
    // Two empty bodies that come together are for the rule of queue positions; which one is first is chance over a socket.
    if (text === '{}') return app(request);
    const call = `${request.url} ${request.headers.get('x-api-key')} ${text}`;
    const known = handles.get(call);
    if (known !== undefined) {
      count += 1;
      const name = headerOf({ branded: 'Request-Id' }, context);
      const requestId = `same-${count}`; // before the wait, in which others count on
      return putTogether(withHeader(await takeApart(known.clone()), name, requestId));
    }
    const response = await app(request);
    if (response.status === 201) handles.set(call, response.clone());
    return response;
  };
};

export const submitFaults: readonly Fault[] = [
  {
    id: 'submit.handle.waits-for-the-run',
    requirements: ['MR-SUB-02'],
    description: 'A handle comes when the run is over.',
    decorate:
      (app, { clock }) =>
      async (request) => {
        const text = touches({ on }, request) ? await request.clone().text() : '';
        const response = await app(request);
        const delayMs = Number(/"delay_ms":(\d+)/.exec(text)?.[1] ?? 0);
        if (delayMs === 8_000) await clock.sleep(delayMs);
        return response;
      },
  },
  {
    id: 'submit.handle.is-completed-at-once',
    requirements: ['MR-SUB-02'],
    description: 'A long run is called COMPLETED as soon as it was submitted.',
    decorate: rewriteAnswer({ on: ['collectRequest'], status: 202 }, (answer) => {
      const body = parseBody(answer);
      return isJsonObject(body) ? withBody(answer, { ...body, status: 'COMPLETED' }) : answer;
    }),
    trips: ['MR-CTG-21', 'MR-CAN-04'],
  },
  {
    id: 'submit.live.cancellation-refused',
    requirements: ['MR-CAN-03'],
    description: 'A run that is live at its provider cannot be cancelled.',
    decorate: rewriteAnswer({ on: ['cancelRequest'], status: 202 }, (answer, { request }) =>
      modelIdOf(request) === 'sandbox/outcomes'
        ? { ...withBody(answer, { ...parsed(answer), status: 'ALREADY_COMPLETED' }), status: 409 }
        : answer,
    ),
  },
  {
    id: 'submit.cancelled.shown-as-success',
    requirements: ['MR-STA-13', 'MR-CTG-20'],
    description: 'A cancelled request is shown as one that succeeded.',
    decorate: rewriteAnswer({ on: ['readStatus'], status: 200 }, (answer) => {
      const { error_type: error, ...body } = parsed(answer);
      return error === 'cancelled' ? withBody(answer, body) : answer;
    }),
  },
  {
    id: 'submit.handle.answered-with-200',
    requirements: ['MR-SUB-10', 'MR-QUE-30'],
    description: 'A submission is answered with 200.',
    decorate: changeStatus(created, 200),
    trips: ['MR-QUE-07'],
  },
  {
    id: 'submit.handle.request-id-header-missing',
    requirements: ['MR-SUB-11', 'MR-HDR-01'],
    description: 'The handle carries no request id header.',
    decorate: dropHeader(created, { branded: 'Request-Id' }),
  },
  {
    id: 'submit.handle.request-id-in-capitals',
    requirements: ['MR-QUE-02'],
    description: 'The request id of the handle is written in capitals.',
    decorate: changeMember(created, 'request_id', (id) => String(id).toUpperCase()),
    trips: ['MR-CAN-08', 'MR-QUE-20', 'MR-CTG-24'],
  },
  {
    id: 'submit.handle.request-id-missing',
    requirements: ['MR-QUE-01'],
    description: 'The handle does not name its request.',
    decorate: dropMember(created, 'request_id'),
  },
  {
    id: 'submit.handle.status-as-number',
    requirements: ['MR-QUE-03'],
    description: 'The status of the handle is a number.',
    decorate: setMember(created, 'status', 0),
  },
  ...(['status_url', 'response_url', 'cancel_url'] as const).map((member, index) => ({
    id: `submit.handle.${member.replace('_', '-')}-missing`,
    requirements: [['MR-QUE-18', 'MR-QUE-21', 'MR-QUE-24'][index] ?? ''],
    description: `The handle has no ${member}.`,
    decorate: dropMember(created, member),
  })),
  {
    id: 'submit.handle.urls-relative',
    requirements: ['MR-QUE-18', 'MR-QUE-21', 'MR-QUE-24'],
    description: 'The URLs of the handle are paths without an origin.',
    decorate: (app, context) =>
      ['status_url', 'response_url', 'cancel_url']
        .map((member) => changeMember(created, member, relative))
        .reduce((inner, decorate) => decorate(inner, context), app),
  },
  {
    id: 'submit.handle.position-negative',
    requirements: ['MR-QUE-08'],
    description: 'The queue position of the handle is -1.',
    decorate: setMember(created, 'queue_position', -1),
    trips: ['MR-QUE-07'],
  },
  {
    id: 'submit.handle.position-as-text',
    requirements: ['MR-QUE-07'],
    description: 'The queue position of the handle is a phrase.',
    decorate: setMember(created, 'queue_position', 'first'),
  },
  {
    id: 'submit.handle.error-type-null',
    requirements: ['MR-QUE-28'],
    description: 'The handle has an error_type of null.',
    decorate: setMember(created, 'error_type', null),
  },
  {
    id: 'submit.invalid.admitted',
    requirements: ['MR-SUB-07', 'MR-SUB-08'],
    description: 'Input that the schema of the model refuses is admitted to the queue.',
    decorate: rewriteAnswer({ on, status: 422 }, (answer) => {
      const handle = { request_id: '99999999-9999-4999-8999-999999999999', status: 'IN_QUEUE' };
      return { ...withText(answer, JSON.stringify(handle)), status: 201 };
    }),
    trips: ['MR-QUE-18', 'MR-QUE-30'],
  },
  {
    id: 'submit.malformed.answered-with-422',
    requirements: ['MR-SUB-13', 'MR-STC-01'],
    description: 'A submission that is no JSON is answered with 422.',
    decorate: changeStatus({ on, status: 400 }, 422),
  },
  {
    id: 'submit.unknown.answered-with-403',
    requirements: ['MR-SUB-17', 'MR-STC-05'],
    description: 'A submission to an unknown model is answered with 403.',
    decorate: rewriteAnswer(missing, (answer, { context }) =>
      refusal(answer, context, { status: 403, category: 'forbidden' }),
    ),
  },
  {
    id: 'submit.unknown.wrong-category',
    requirements: ['MR-CTG-10'],
    description: 'A submission to an unknown model is called request_not_found.',
    decorate: setCategory(missing, 'request_not_found'),
  },
  {
    id: 'submit.credits.answered-with-403',
    requirements: ['MR-SUB-15', 'MR-STC-03'],
    description: 'A submission without credits is answered with 403.',
    decorate: changeStatus({ on, status: 402 }, 403),
  },
  {
    id: 'submit.credits.wrong-category',
    requirements: ['MR-CTG-09'],
    description: 'A submission without credits is called service_unavailable.',
    decorate: setCategory({ on, status: 402 }, 'service_unavailable'),
  },
  {
    id: 'submit.credits.overlooked',
    requirements: ['MR-SUB-15', 'MR-CTG-09'],
    description: 'A submission without credits is admitted.',
    decorate: rewriteRequest(on, (request) =>
      request.headers.get('x-api-key')?.endsWith('-no-credits') ? { headers: { 'x-api-key': 'sk-sandbox-main' } } : {},
    ),
  },
  {
    id: 'submit.retry.another-request',
    requirements: ['MR-SUB-12', 'MR-IDM-01'],
    description: 'A repeated submission gets a handle of another request.',
    decorate: newIdOnReplay,
    trips: ['MR-QUE-20'],
  },
  {
    id: 'submit.retry.queues-again',
    requirements: ['MR-SUB-12', 'MR-IDM-01'],
    description: 'Idempotency keys of submissions are ignored.',
    decorate: rewriteRequest(on, (request) =>
      requestKey(request) === undefined ? {} : { headers: { 'idempotency-key': undefined } },
    ),
    trips: ['MR-SUB-18'],
  },
  {
    id: 'submit.retry.not-marked',
    requirements: ['MR-SUB-12', 'MR-HDR-14'],
    description: 'A repeated handle is not marked as replayed.',
    decorate: dropHeader(created, 'Idempotent-Replayed'),
  },
  {
    id: 'submit.first.marked-replayed',
    requirements: ['MR-HDR-14'],
    description: 'Every handle is marked as replayed.',
    decorate: rewriteAnswer(created, (answer) => withHeader(answer, 'Idempotent-Replayed', 'true')),
  },
  {
    id: 'submit.conflict.answered-with-400',
    requirements: ['MR-SUB-18', 'MR-STC-06'],
    description: 'A key used for another submission is answered with 400.',
    decorate: changeStatus({ on, status: 409 }, 400),
  },
  {
    id: 'submit.handle.shared-by-equal-bodies',
    requirements: ['MR-QUE-30'],
    description: 'Two submissions of one body are one request, without any key.',
    decorate: oneForEqualBodies,
  },
];

function parsed(answer: Parameters<typeof parseBody>[0]): JsonObject {
  const body = parseBody(answer);
  return isJsonObject(body) ? body : {};
}
