import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { Decorator, Fault } from './decorator.ts';
import {
  changeStatus,
  dropHeader,
  parseBody,
  refusal,
  rewriteAnswer,
  rewriteJson,
  type Surroundings,
  setCategory,
  setHeader,
  takeApart,
  type Where,
} from './making/answer-rewrite.ts';
import { changeMember, dropMember, setMember, without } from './making/json-change.ts';
import { requestIdOf } from './making/operation-match.ts';
import { asMain, forgetModel } from './making/ownership.ts';
import { relative } from './submit.ts';

const on = ['readStatus'] as const;
const read: Where = { on, status: 200 };
const missing: Where = { on, status: 404 };

function whenCompleted(
  change: (status: JsonObject, around: Surroundings) => JsonValue | Promise<JsonValue>,
): Decorator {
  return rewriteJson(read, (status, around) => (status['status'] === 'COMPLETED' ? change(status, around) : status));
}

function whilePending(change: (status: JsonObject) => JsonValue): Decorator {
  return rewriteJson(read, (status) => (status['status'] === 'COMPLETED' ? status : change(status)));
}

function onSuccess(change: (status: JsonObject) => JsonValue): Decorator {
  return whenCompleted((status) => ('error_type' in status ? status : change(status)));
}

/** What the healthy application gives when this request is collected. */
async function resultOf({ request, app }: Surroundings): Promise<JsonValue | undefined> {
  const url = new URL(request.url);
  url.pathname = url.pathname.replace(/\/status$/, '');
  return parseBody(await takeApart(await app(new Request(url, { headers: request.headers }))));
}

/** Called COMPLETED once, a request is running again at the next look. */
export const reopened: Decorator = (app, context) => {
  const seen = new Set<string>();
  return whenCompleted((status, { request }) => {
    const id = requestIdOf(request) ?? '';
    if (!seen.has(id)) {
      seen.add(id);
      return status;
    }
    return { ...without(status, 'error_type'), status: context.specs.settings.queueStatuses[1] };
  })(app, context);
};

export const statusFaults: readonly Fault[] = [
  {
    id: 'status.read.pending-as-202',
    requirements: ['MR-STA-03'],
    description: 'The status of a pending request is answered with 202.',
    decorate: rewriteAnswer(read, (answer) => {
      const body = parseBody(answer);
      const isPending = isJsonObject(body) && body['status'] !== 'COMPLETED';
      return isPending ? { ...answer, status: 202 } : answer;
    }),
  },
  {
    id: 'status.read.request-id-header-missing',
    requirements: ['MR-STA-04', 'MR-HDR-01'],
    description: 'The status carries no request id header.',
    decorate: dropHeader(read, { branded: 'Request-Id' }),
  },
  {
    id: 'status.read.no-retry-after',
    requirements: ['MR-STA-05'],
    description: 'The status does not say when to poll again.',
    decorate: dropHeader(read, 'Retry-After'),
  },
  {
    id: 'status.read.retry-after-fraction',
    requirements: ['MR-HDR-15'],
    description: 'Retry-After of the status is a fraction of a second.',
    decorate: setHeader(read, 'Retry-After', '0.5'),
  },
  {
    id: 'status.read.of-another-request',
    requirements: ['MR-QUE-20', 'MR-STA-03'],
    description: 'The status names another request.',
    decorate: setMember(read, 'request_id', '99999999-9999-4999-8999-999999999999'),
  },
  {
    id: 'status.read.status-missing',
    requirements: ['MR-QUE-29'],
    description: 'The status response of a pending request has no status.',
    decorate: whilePending((status) => without(status, 'status')),
  },
  ...(['status_url', 'response_url', 'cancel_url'] as const).map((member, index) => ({
    id: `status.read.${member.replace('_', '-')}-missing`,
    requirements: [['MR-QUE-19', 'MR-QUE-22', 'MR-QUE-25'][index] ?? ''],
    description: `The status response has no ${member}.`,
    decorate: dropMember(read, member),
  })),
  {
    id: 'status.read.urls-relative',
    requirements: ['MR-QUE-19', 'MR-QUE-22', 'MR-QUE-25'],
    description: 'The URLs of the status response are paths without an origin.',
    decorate: (app, context) =>
      ['status_url', 'response_url', 'cancel_url']
        .map((member) => changeMember(read, member, relative))
        .reduce((inner, decorate) => decorate(inner, context), app),
  },
  {
    id: 'status.read.position-negative',
    requirements: ['MR-QUE-08'],
    description: 'The queue position of the status is -1.',
    decorate: setMember(read, 'queue_position', -1),
  },
  {
    id: 'status.life.fourth-word',
    requirements: ['MR-QUE-04'],
    description: 'The handle and the status know a fourth word.',
    decorate: setMember({ on: ['submitRequest'], status: 201 }, 'status', 'ACCEPTED'),
  },
  {
    id: 'status.pending.error-type',
    requirements: ['MR-QUE-12'],
    description: 'A pending request has an error_type.',
    decorate: whilePending((status) => ({ ...status, error_type: 'provider_error' })),
  },
  {
    id: 'status.pending.error-type-null',
    requirements: ['MR-QUE-12'],
    description: 'A pending request has an error_type of null.',
    decorate: whilePending((status) => ({ ...status, error_type: null })),
  },
  {
    id: 'status.success.error-type-null',
    requirements: ['MR-QUE-14'],
    description: 'A successful request has an error_type of null.',
    decorate: onSuccess((status) => ({ ...status, error_type: null })),
  },
  {
    id: 'status.success.error-type-none',
    requirements: ['MR-QUE-13'],
    description: 'A successful request has an error_type of none.',
    decorate: onSuccess((status) => ({ ...status, error_type: 'none' })),
  },
  {
    id: 'status.completed.reopened',
    requirements: ['MR-QUE-33'],
    description: 'A completed request is shown as running at the next look.',
    decorate: reopened,
    trips: ['MR-CAN-13', 'MR-CTG-21'],
  },
  {
    id: 'status.completed.with-result',
    requirements: ['MR-STA-02'],
    description: 'The status of a completed request holds its result.',
    decorate: whenCompleted(async (status, around) => ({ ...status, result: (await resultOf(around)) ?? null })),
  },
  {
    id: 'status.completed.mixed-with-result',
    requirements: ['MR-STA-02'],
    description: 'The members of the result stand among those of the status.',
    decorate: whenCompleted(async (status, around) => {
      const result = await resultOf(around);
      return isJsonObject(result) && !('error_type' in status) ? { ...result, ...status } : status;
    }),
  },
  {
    id: 'status.unknown.answered-with-410',
    requirements: ['MR-STA-08'],
    description: 'The status of an unknown request is answered with 410.',
    decorate: changeStatus(missing, 410),
    trips: ['MR-CTG-24'],
  },
  {
    id: 'status.unknown.wrong-category',
    requirements: ['MR-CTG-24'],
    description: 'The status of an unknown request is called model_not_found.',
    decorate: setCategory(missing, 'model_not_found'),
  },
  {
    id: 'status.unknown.as-completed',
    requirements: ['MR-STA-08', 'MR-STC-05'],
    description: 'The status of an unknown request is COMPLETED with an error_type.',
    decorate: rewriteAnswer(missing, (answer) => {
      const body = { request_id: '99999999-9999-4999-8999-999999999999', status: 'COMPLETED', error_type: 'cancelled' };
      return { ...answer, status: 200, body: new TextEncoder().encode(JSON.stringify(body)) };
    }),
    trips: ['MR-CTG-24'],
  },
  {
    id: 'status.foreign.visible',
    requirements: ['MR-CTG-24'],
    description: 'The status of a request can be read from another workspace.',
    decorate: asMain(on),
  },
  {
    id: 'status.foreign.forbidden',
    requirements: ['MR-CTG-24'],
    description: 'The status of a request of another workspace is answered with 403.',
    decorate: rewriteAnswer(missing, (answer, { request, context }) =>
      request.headers.get('x-api-key')?.endsWith('-neighbour')
        ? refusal(answer, context, { status: 403, category: 'forbidden' })
        : answer,
    ),
  },
  {
    id: 'status.other-model.visible',
    requirements: ['MR-CTG-24'],
    description: 'The status of a request can be read under another model.',
    decorate: forgetModel(on),
  },
];
