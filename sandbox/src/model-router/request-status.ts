import type { JsonObject } from '../../../specs/src/index.ts';
import { go, type Step, stop } from '../answer.ts';
import { type Context, type RouterCall, scopeOf } from '../context.ts';
import type { ServedModel } from '../models/served-model.ts';
import { countAhead, findRequest } from '../state/queue.ts';
import { type Phase, phaseOf, type QueuedRequest, untilNextPhase } from '../state/queued-request.ts';
import { addressedModel } from './addressed-model.ts';
import { modelPath } from './catalog-entry.ts';
import { requestNotFound } from './refusals.ts';

export type AddressedRequest = { model: ServedModel; request: QueuedRequest };

/** The request that the path names, if it is the caller's scope's and under this model. */
export function addressedRequest(call: RouterCall, context: Context): Step<AddressedRequest> {
  const model = addressedModel(call, context);
  if (model.kind === 'stop') return model;
  const wanted = { id: call.params['request_id'] ?? '', modelId: model.value.id, scope: scopeOf(call.account) };
  const request = findRequest(context.world.queue, wanted, context.config.clock.now());
  return request === undefined ? stop(requestNotFound) : go({ model: model.value, request });
}

/** The handle of submit and the body of status and of an early collect; `error_type` is absent on success (MR-QUE-14). */
export function statusBody({ model, request }: AddressedRequest, call: RouterCall, context: Context): JsonObject {
  const now = context.config.clock.now();
  const phase = phaseOf(request, now);
  const url = (...rest: string[]): string => call.url.origin + modelPath(model, 'requests', request.id, ...rest);
  return {
    request_id: request.id,
    status: statusOf(phase, context),
    ...(phase === 'waiting' ? { queue_position: countAhead(context.world.queue, request, now) } : {}),
    ...(phase === 'cancelled' ? { error_type: 'cancelled' } : {}),
    status_url: url('status'),
    response_url: url(),
    cancel_url: url('cancel'),
  };
}

function statusOf(phase: Phase, { config }: Context): string {
  const [waiting, running] = config.queueStatuses;
  if (phase === 'waiting') return waiting;
  return phase === 'running' ? running : 'COMPLETED';
}

/** Whole seconds, at least one, and at a completed request too (MR-STA-05, C-39). */
export function pollAfter(request: QueuedRequest, now: number): { 'Retry-After': string } {
  return { 'Retry-After': String(Math.max(1, Math.ceil(untilNextPhase(request, now) / 1000))) };
}
