import type { JsonObject } from '../../../specs/src/index.ts';
import { isReply, jsonReply, type Reply, retryAfterHeader } from '../http/messages.ts';
import type { ServedModel } from '../models/served-model.ts';
import { parseJson } from '../parse-json.ts';
import {
  cancelRun,
  findPhase,
  hasClosed,
  hasExpired,
  measureTimeToNextPhase,
  type Phase,
  type Run,
} from '../state/run.ts';
import type { World } from '../state/world.ts';
import { buildModelPath, findModel, type RouterCall } from './catalog.ts';
import { deadlineExceeded, invalidInput, requestFailed, routerErrors } from './replies.ts';

/** Returns the status of a request. Sends `Retry-After` even for a completed request (MR-STA-05, OP-239). */
export function readStatus(call: RouterCall, world: World): Reply {
  const found = findRequest(call, world);
  if (isReply(found)) return found;
  const { run, now } = found;
  return jsonReply(200, createStatusBody(found, call, world), retryAfterHeader(measureTimeToNextPhase(run, now)));
}

/** Returns the result of a request, its failure, or its status. Collecting changes nothing, so it can be repeated (OP-021). */
export function collectRequest(call: RouterCall, world: World): Reply {
  const found = findRequest(call, world);
  if (isReply(found)) return found;
  const { run, now, phase } = found;
  const recorded = world.records.findReply(run.id) ?? routerErrors.internalError;
  switch (phase.kind) {
    case 'waiting':
    case 'running':
      return jsonReply(202, createStatusBody(found, call, world), retryAfterHeader(measureTimeToNextPhase(run, now)));
    case 'cancelling':
      return routerErrors.beingCancelled;
    case 'succeeded':
      return recorded;
    case 'ended':
      // A failure at request level gets the reply of its category; a failure of the model gets its recorded reply (OP-040).
      if (phase.errorType === 'deadline_exceeded') return deadlineExceeded(undefined);
      return requestFailed(phase.errorType) ?? recorded;
  }
}

const requestId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Cancels a request. The 409 for a completed request is not an error: it has the body of a cancellation and no category
 * (OP-201, OP-036).
 */
export function cancelRequest(call: RouterCall, world: World): Reply {
  const model = findModel(call, world);
  if (isReply(model)) return model;
  // The documents don't define malformed cancellations (OP-037).
  if (!requestId.test(call.params['request_id'] ?? '')) return invalidInput('The request id is not a lowercase UUID.');
  const { body } = call.request;
  if (body === 'too-large') return routerErrors.bodyTooLarge;
  if (body.length > 0 && parseJson(body) === undefined) return invalidInput('The body is not JSON.');
  const found = findRequest(call, world);
  if (isReply(found)) return found;
  const { run, now } = found;
  if (hasClosed(run, now)) return jsonReply(409, { request_id: run.id, status: 'ALREADY_COMPLETED' });
  const cancelled = cancelRun(run, world.settings.timings.cancellingMs, now);
  if (cancelled !== run) world.records.updateRun(cancelled);
  return jsonReply(202, { request_id: run.id, status: 'CANCELLATION_REQUESTED' });
}

type RequestState = { model: ServedModel; run: Run; now: number; phase: Phase };

/** Returns the request in the path, or a 404 if it has expired or belongs to a different scope or model (MR-COL-15). */
function findRequest(call: RouterCall, world: World): RequestState | Reply {
  const model = findModel(call, world);
  if (isReply(model)) return model;
  const run = world.records.findRun(call.params['request_id'] ?? '');
  const now = world.config.clock.now();
  if (run === undefined || run.operation !== 'submit' || hasExpired(run, now)) return routerErrors.requestNotFound;
  const isOwnRequest = run.modelId === model.id && run.scope === call.account.scope;
  return isOwnRequest ? { model, run, now, phase: findPhase(run, now) } : routerErrors.requestNotFound;
}

/** Creates the body of a handle, a status, or the 202 of an early collect. On success, `error_type` is absent (MR-QUE-14). */
export function createStatusBody(
  { model, run }: { model: ServedModel; run: Run },
  call: RouterCall,
  { config, records }: World,
): JsonObject {
  const now = config.clock.now();
  const phase = findPhase(run, now);
  const url = call.request.origin + buildModelPath(model, 'requests', run.id);
  const [waiting, running] = config.queueStatuses;
  // A cancellation is not visible before it takes effect (MR-CAN-11).
  const statuses = { waiting, running, cancelling: running, succeeded: 'COMPLETED', ended: 'COMPLETED' };
  return {
    request_id: run.id,
    status: statuses[phase.kind],
    ...(phase.kind === 'waiting' ? { queue_position: records.live.countAhead(run, now) } : {}),
    ...(phase.kind === 'ended' ? { error_type: phase.errorType } : {}),
    status_url: `${url}/status`,
    response_url: url,
    cancel_url: `${url}/cancel`,
  };
}
