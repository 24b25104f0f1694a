import { newId } from '../digest.ts';
import { errorType, isReply, jsonReply, type Reply } from '../http/messages.ts';
import { returnsBytes, type ServedModel } from '../models/served-model.ts';
import { callProvider } from '../provider/provider.ts';
import type { ProviderResponse } from '../provider/provider-response.ts';
import type { KeyClaim, KeyRecord, Unreplayable } from '../state/records.ts';
import type { Run } from '../state/run.ts';
import type { World } from '../state/world.ts';
import {
  type CallKey,
  checkInput,
  checkQuotas,
  chooseProvider,
  parseInput,
  readKeyedCall,
  withSpend,
} from './admission.ts';
import { findModel, type RouterCall } from './catalog.ts';
import { createStatusBody } from './queued-requests.ts';
import { deadlineExceeded, routerErrors, toReply } from './replies.ts';

export async function runModel(call: RouterCall, world: World): Promise<Reply> {
  const accepted = acceptCall('run', call, world);
  const reply = isReply(accepted) ? accepted : await dispatch(accepted, world);
  return reply.status === 200 && reply.isProxied !== true ? withSpend(reply, call, world) : reply;
}

/** Records the outcome of an accepted call, and then waits until the caller may get it (MR-LIM-01). */
async function dispatch(accepted: AcceptedCall, world: World): Promise<Reply> {
  const { call, response, recordedReply, key, model, now } = accepted;
  // No provider accepted the call, so nothing is recorded and the key can be used again.
  if (response.kind === 'internal_error' || response.kind === 'service_unavailable') return recordedReply;
  if (response.isRawOutput) {
    const facts = { model: model.id, servedBy: response.servedBy };
    world.notice('the output could not be converted back', facts); // Required by MR-RUN-26.
  }
  const { providerMs, holdMs } = world.settings.timings;
  const run = createRun(accepted, { startsAt: now, usualMs: providerMs });
  const { id, endsAt } = run;
  const releasedAt = Math.min(endsAt, response.deadline === undefined ? now + holdMs : now);
  const unreplayable = key && findUnreplayable(response);
  const replies = key !== undefined && unreplayable === undefined ? { [id]: recordedReply } : {};
  const claim = claimKey(accepted, { runId: id, replyId: id, releasedAt, endsAt, unreplayable });
  world.records.addRun({ run, replies, claim }, now);

  const { clock } = world.config;
  const { signal } = call.request;
  const stopWaiting = AbortSignal.any([signal, world.closing]);
  while (clock.now() < releasedAt && !stopWaiting.aborted) await clock.sleep(releasedAt - clock.now(), stopWaiting);
  if (signal.aborted) {
    const current = world.records.findRun(id); // Undefined after a reset.
    if (current !== undefined) world.records.updateRun({ ...current, disconnectedAt: clock.now() });
    return routerErrors.clientDisconnected;
  }
  if (clock.now() < releasedAt) return routerErrors.serviceUnavailable; // The sandbox is closing; a retry may still get the result.
  if (response.intercepted !== undefined) return response.intercepted;
  if (response.deadline === undefined && releasedAt === endsAt) return recordedReply;
  const hasHandle = key !== undefined && response.deadline !== 'lost';
  return deadlineExceeded(hasHandle ? endsAt - clock.now() : undefined);
}

/** Returns why the response of a synchronous run cannot be replayed; undefined if it can (MR-IDM-28, MR-IDM-30). */
function findUnreplayable(response: ProviderResponse): Unreplayable | undefined {
  if (response.deadline === 'lost') return 'lost';
  return response.kind === 'result' && response.replay !== 'safe' ? response.replay : undefined;
}

/** Records the handle, so that a retry with the key replays it (OP-222), and the response that the provider will give. */
export function submitRequest(call: RouterCall, world: World): Reply {
  const accepted = acceptCall('submit', call, world);
  if (isReply(accepted)) return accepted;
  const { model, key, now, response, recordedReply } = accepted;
  const { waitingMs, runningMs, queueTimeoutMs } = world.settings.timings;
  const queued = createRun(accepted, { startsAt: now + waitingMs, usualMs: runningMs });
  const run = { ...queued, timesOutAt: now + queueTimeoutMs };
  // A router that lost the provider's handle reports `deadline_exceeded`.
  if (response.deadline === 'lost') run.errorType = 'deadline_exceeded';
  const handle = jsonReply(201, createStatusBody({ model, run }, call, world));
  const replyId = `handle of ${run.id}`;
  const replies = { [run.id]: recordedReply, ...(key === undefined ? {} : { [replyId]: handle }) };
  const times = { releasedAt: now, endsAt: now };
  const claim = claimKey(accepted, { runId: run.id, replyId, ...times, unreplayable: undefined });
  world.records.addRun({ run, replies, claim }, now);
  return response.intercepted ?? handle;
}

/** A call that starts a run, accepted at `now` (ms), with the response of its provider and the reply for it. */
type AcceptedCall = {
  operation: Run['operation'];
  call: RouterCall;
  model: ServedModel;
  key: CallKey | undefined;
  now: number;
  response: ProviderResponse;
  recordedReply: Reply;
};

/**
 * Accepts or rejects a call that may start a run. Doesn't await anything, so two calls with the same key cannot both start one
 * (MR-IDM-33).
 */
function acceptCall(operation: Run['operation'], call: RouterCall, world: World): AcceptedCall | Reply {
  const model = findModel(call, world);
  if (isReply(model)) return model;
  const document = model.document();
  if (document === undefined) return routerErrors.internalError;
  if (operation === 'submit' && returnsBytes(document)) return routerErrors.queueNotEnabled;
  const keyed = readKeyedCall(call, world);
  if (isReply(keyed)) return keyed;
  const body = parseInput(keyed.bytes);
  if (isReply(body)) return body;
  // A submission always uses the default provider, because it has no query parameters (OP-048).
  const query = new URLSearchParams(operation === 'run' ? call.query : '');
  const choice = chooseProvider({ query, model, document }, world);
  if (isReply(choice)) return choice;
  const schemaModel = choice.mode === 'strict' ? choice.servingModel : model; // Model whose schema the body must satisfy.
  const refusal = checkInput(body, schemaModel.document()?.input?.check) ?? checkQuotas(call, world, operation);
  if (refusal !== undefined) return refusal;
  const { config, settings, behaviours } = world;
  const now = config.clock.now();
  const response = callProvider(model, body, {
    choice,
    context: {
      seed: config.seed,
      origin: call.request.origin,
      startsAt: operation === 'run' ? now : now + settings.timings.waitingMs,
      families: config.assetFamilies,
      attempt: behaviours.attempt,
    },
  });
  return { operation, call, model, key: keyed.key, now, response, recordedReply: toReply(response) };
}

/** Creates a run that is dispatched at `startsAt`. `usualMs`: its duration if the provider sets none. */
function createRun(
  { operation, call, model, key, now, response, recordedReply }: AcceptedCall,
  { startsAt, usualMs }: { startsAt: number; usualMs: number },
): Run {
  return {
    id: newId(),
    operation,
    modelId: model.id,
    scope: call.account.scope,
    alias: call.account.alias,
    key: key?.key,
    submittedAt: now,
    startsAt,
    endsAt: startsAt + (response.durationMs > 0 ? response.durationMs : usualMs),
    timesOutAt: undefined,
    errorType: recordedReply.headers[errorType],
    isBilled: response.isBilled,
    servedBy: response.servedBy,
    received: response.received,
    cancelledAt: undefined,
    replays: 0,
    disconnectedAt: undefined,
  };
}

/** Creates the record that binds the key, if any, to this call, the first accepted one with the key. */
function claimKey(
  { key, now }: AcceptedCall,
  rest: Omit<KeyRecord, 'fingerprint' | 'firstAcceptedAt'>,
): KeyClaim | undefined {
  return key && { slot: key.slot, record: { ...rest, fingerprint: key.fingerprint, firstAcceptedAt: now } };
}
