import type { JsonObject } from '../../../specs/src/index.ts';
import { isReply, jsonReply, type Reply, retryAfter } from '../http/messages.ts';
import type { ServedModel } from '../models/served-model.ts';
import { parseJson } from '../parse-json.ts';
import { findPhase, hasClosed, isForgotten, type Phase, type Run, untilNextPhase, withdraw } from '../state/run.ts';
import type { World } from '../state/world.ts';
import { addressedModel, modelPath, type RouterCall } from './catalog.ts';
import { deadlineExceeded, invalidInput, refusals, requestFailed } from './replies.ts';

/** Returns the status of a request. Sends `Retry-After` even for a completed request (MR-STA-05, OP-239). */
export function readStatus(call: RouterCall, world: World): Reply {
  const addressed = addressedRequest(call, world);
  if (isReply(addressed)) return addressed;
  const { run, now } = addressed;
  return jsonReply(200, statusBody(addressed, call, world), retryAfter(untilNextPhase(run, now)));
}

/** Collecting doesn't change the request, so it can be repeated (OP-021). */
export function collectRequest(call: RouterCall, world: World): Reply {
  const addressed = addressedRequest(call, world);
  if (isReply(addressed)) return addressed;
  const { run, now, phase } = addressed;
  const recorded = world.records.findReply(run.id) ?? refusals.internalError;
  switch (phase.kind) {
    case 'waiting':
    case 'running':
      return jsonReply(202, statusBody(addressed, call, world), retryAfter(untilNextPhase(run, now)));
    case 'withdrawing':
      return refusals.beingCancelled;
    case 'succeeded':
      return recorded;
    case 'ended':
      // A failure of the model has its recorded reply; all other failures have the reply of their category (OP-040).
      if (phase.errorType === 'deadline_exceeded') return deadlineExceeded(undefined);
      return requestFailed(phase.errorType) ?? recorded;
  }
}

const requestId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Cancels a request. A 409 is an outcome, not an error: it has the shape of a cancel response and no category (OP-201, OP-036). */
export function cancelRequest(call: RouterCall, world: World): Reply {
  const model = addressedModel(call, world);
  if (isReply(model)) return model;
  // The documents don't define malformed cancellations (OP-037).
  if (!requestId.test(call.params['request_id'] ?? '')) return invalidInput('The request id is not a lowercase UUID.');
  const { body } = call.request;
  if (body === 'too-large') return refusals.bodyTooLarge;
  if (body.length > 0 && parseJson(body) === undefined) return invalidInput('The body is not JSON.');
  const addressed = addressedRequest(call, world);
  if (isReply(addressed)) return addressed;
  const { run, now } = addressed;
  if (hasClosed(run, now)) return jsonReply(409, { request_id: run.id, status: 'ALREADY_COMPLETED' });
  const withdrawn = withdraw(run, world.settings.timings.cancellingMs, now);
  if (withdrawn !== run) world.records.change(withdrawn);
  return jsonReply(202, { request_id: run.id, status: 'CANCELLATION_REQUESTED' });
}

type AddressedRequest = { model: ServedModel; run: Run; now: number; phase: Phase };

/** Returns the queued run in the path if it belongs to the caller's scope and this model, and is still kept (MR-COL-15). */
function addressedRequest(call: RouterCall, world: World): AddressedRequest | Reply {
  const model = addressedModel(call, world);
  if (isReply(model)) return model;
  const run = world.records.findRun(call.params['request_id'] ?? '');
  const now = world.config.clock.now();
  if (run === undefined || run.operation !== 'submit' || isForgotten(run, now)) return refusals.requestNotFound;
  const isOwnRequest = run.modelId === model.id && run.scope === call.account.scope;
  return isOwnRequest ? { model, run, now, phase: findPhase(run, now) } : refusals.requestNotFound;
}

/** Returns the body of a handle, a status, or an early collect; `error_type` is absent on success (MR-QUE-14). */
export function statusBody(
  { model, run }: { model: ServedModel; run: Run },
  call: RouterCall,
  { config, records }: World,
): JsonObject {
  const now = config.clock.now();
  const phase = findPhase(run, now);
  const url = call.request.origin + modelPath(model, 'requests', run.id);
  const [waiting, running] = config.queueStatuses;
  // A cancellation is not visible before it takes effect (MR-CAN-11).
  const words = { waiting, running, withdrawing: running, succeeded: 'COMPLETED', ended: 'COMPLETED' };
  return {
    request_id: run.id,
    status: words[phase.kind],
    ...(phase.kind === 'waiting' ? { queue_position: records.live.countAhead(run, now) } : {}),
    ...(phase.kind === 'ended' ? { error_type: phase.errorType } : {}),
    status_url: `${url}/status`,
    response_url: url,
    cancel_url: `${url}/cancel`,
  };
}
