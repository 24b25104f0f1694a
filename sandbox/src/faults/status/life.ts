import { isJsonObject, type JsonObject, type JsonValue } from '../../../../specs/src/index.ts';
import type { Decorator, Fault } from '../decorator.ts';
import { parseBody, type Surroundings, takeApart } from '../making/answer-rewrite.ts';
import { setMember, without } from '../making/json-change.ts';
import { requestIdOf } from '../making/operation-match.ts';
import { whenCompleted, whilePending } from './phases.ts';

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
const reopened: Decorator = (app, context) => {
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

export const statusLifeFaults: readonly Fault[] = [
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
];
