import type { Decorator, Fault } from './decorator.ts';
import {
  changeStatus,
  dropHeader,
  refusal,
  rewriteAnswer,
  rewriteJson,
  setCategory,
  type Where,
  withBody,
  withText,
} from './making/answer-rewrite.ts';
import { changeMember, dropMember, setMember, without } from './making/json-change.ts';
import { operationOf, requestIdOf } from './making/operation-match.ts';
import { asMain } from './making/ownership.ts';

const on = ['cancelRequest'] as const;
const requested: Where = { on, status: 202 };
const tooLate: Where = { on, status: 409 };
const missing: Where = { on, status: 404 };
const read: Where = { on: ['readStatus'], status: 200 };

const claimsCompleted: Decorator = rewriteAnswer(requested, (answer, { request }) => ({
  ...withBody(answer, { request_id: requestIdOf(request) ?? '', status: 'ALREADY_COMPLETED' }),
  status: 409,
}));

/** Remembers which completed requests a cancellation came for, and applies `after` to what is asked of them later. */
function afterLateCancel(after: Decorator): Decorator {
  return (app, context) => {
    const late = new Set<string>();
    const changed = after(app, context);
    return async (request) => {
      const id = requestIdOf(request) ?? '';
      if (operationOf(request) !== 'cancelRequest') return late.has(id) ? changed(request) : app(request);
      const response = await app(request);
      if (response.status === 409) late.add(id);
      return response;
    };
  };
}

const revived: Decorator = (app, context) => {
  const seen = new Map<string, number>();
  return rewriteJson(read, (status, { request }) => {
    if (status['error_type'] !== 'cancelled') return status;
    const id = requestIdOf(request) ?? '';
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    return times === 1 ? status : { ...without(status, 'error_type'), status: context.specs.settings.queueStatuses[1] };
  })(app, context);
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

export const cancelFaults: readonly Fault[] = [
  {
    id: 'cancel.pending.answered-with-200',
    requirements: ['MR-CAN-03'],
    description: 'Cancelling a pending request is answered with 200.',
    decorate: changeStatus(requested, 200),
  },
  {
    id: 'cancel.pending.claims-completed',
    requirements: ['MR-CAN-03'],
    description: 'Cancelling a pending request is answered as if it were completed.',
    decorate: claimsCompleted,
  },
  {
    id: 'cancel.pending.third-word',
    requirements: ['MR-CAN-10'],
    description: 'The cancel response says CANCELLED.',
    decorate: setMember(requested, 'status', 'CANCELLED'),
    trips: ['MR-CAN-03'],
  },
  {
    id: 'cancel.pending.status-missing',
    requirements: ['MR-CAN-09'],
    description: 'The cancel response has no status.',
    decorate: dropMember(requested, 'status'),
    trips: ['MR-CAN-03'],
  },
  {
    id: 'cancel.pending.request-id-missing',
    requirements: ['MR-CAN-08'],
    description: 'The cancel response does not name its request.',
    decorate: dropMember(requested, 'request_id'),
  },
  {
    id: 'cancel.pending.request-id-header-missing',
    requirements: ['MR-CAN-06', 'MR-HDR-01'],
    description: 'The cancel response carries no request id header.',
    decorate: dropHeader(requested, { branded: 'Request-Id' }),
  },
  {
    id: 'cancel.effective.without-error-type',
    requirements: ['MR-STA-13'],
    description: 'A cancelled request is shown as completed without an error_type.',
    decorate: rewriteJson(read, (status) =>
      status['error_type'] === 'cancelled' ? without(status, 'error_type') : status,
    ),
  },
  {
    id: 'cancel.effective.error-type-null',
    requirements: ['MR-STA-13'],
    description: 'A cancelled request is shown as completed with an error_type of null.',
    decorate: changeMember(read, 'error_type', () => null),
    trips: ['MR-QUE-11'],
  },
  {
    id: 'cancel.effective.wrong-category',
    requirements: ['MR-CTG-20'],
    description: 'A cancelled request is shown as failed by an internal error.',
    decorate: changeMember(read, 'error_type', () => 'internal_error'),
    trips: ['MR-QUE-11'],
  },
  {
    id: 'cancel.effective.revived',
    requirements: ['MR-CTG-21'],
    description: 'A cancelled request is shown as running at the next look.',
    decorate: revived,
  },
  {
    id: 'cancel.completed.accepted',
    requirements: ['MR-CAN-04', 'MR-STC-08'],
    description: 'Cancelling a completed request is answered with 202.',
    decorate: rewriteAnswer(tooLate, (answer, { request }) => ({
      ...withBody(answer, { request_id: requestIdOf(request) ?? '', status: 'CANCELLATION_REQUESTED' }),
      status: 202,
    })),
  },
  {
    id: 'cancel.completed.as-error',
    requirements: ['MR-CAN-05'],
    description: 'Cancelling a completed request is answered with an error response.',
    decorate: rewriteAnswer(tooLate, (answer, { context }) =>
      refusal(answer, context, { status: 409, category: 'invalid_input' }),
    ),
    trips: ['MR-CAN-04'],
  },
  {
    id: 'cancel.completed.word-of-the-pending',
    requirements: ['MR-CAN-04'],
    description: 'The 409 of a completed request says CANCELLATION_REQUESTED.',
    decorate: setMember(tooLate, 'status', 'CANCELLATION_REQUESTED'),
  },
  {
    id: 'cancel.completed.request-id-header-missing',
    requirements: ['MR-CAN-07', 'MR-HDR-01'],
    description: 'The 409 of a completed request carries no request id header.',
    decorate: dropHeader(tooLate, { branded: 'Request-Id' }),
  },
  {
    id: 'cancel.completed.marks-it-cancelled',
    requirements: ['MR-CAN-13'],
    description: 'A cancellation that comes too late marks the completed request as cancelled.',
    decorate: afterLateCancel(setMember(read, 'error_type', 'cancelled')),
  },
  {
    id: 'cancel.completed.changes-the-result',
    requirements: ['MR-CAN-13'],
    trips: ['MR-RUN-23'],
    description: 'A cancellation that comes too late empties the result.',
    decorate: afterLateCancel(
      rewriteAnswer({ on: ['collectRequest'], status: 200 }, (answer) => withText(answer, '{}')),
    ),
  },
  {
    id: 'cancel.unknown.accepted',
    requirements: ['MR-CAN-18', 'MR-STC-05'],
    description: 'Cancelling an unknown request is answered with 202.',
    decorate: rewriteAnswer(missing, (answer, { request }) => ({
      ...withBody(answer, { request_id: requestIdOf(request) ?? '', status: 'CANCELLATION_REQUESTED' }),
      status: 202,
    })),
    trips: ['MR-CTG-24'],
  },
  {
    id: 'cancel.unknown.wrong-category',
    requirements: ['MR-CTG-24'],
    description: 'Cancelling an unknown request is called model_not_found.',
    decorate: setCategory(missing, 'model_not_found'),
  },
  {
    id: 'cancel.foreign.accepted',
    requirements: ['MR-CTG-24'],
    description: 'A request can be cancelled from another workspace.',
    decorate: asMain(on),
  },
  {
    id: 'cancel.completed.accepted-the-first-time',
    requirements: ['MR-CAN-04', 'MR-STC-08'],
    description: 'The first cancellation of a completed request is answered with 202.',
    decorate: acceptedOnce,
  },
];
