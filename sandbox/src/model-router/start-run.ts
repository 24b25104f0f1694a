import { newId } from '../digest.ts';
import { errorType, isReply, jsonReply, type Reply } from '../http/messages.ts';
import { returnsBytes, type ServedModel } from '../models/served-model.ts';
import { callProvider } from '../provider/provider.ts';
import type { ProviderResponse } from '../provider/provider-response.ts';
import type { Claim, KeyRecord, Unreplayable } from '../state/records.ts';
import type { Run } from '../state/run.ts';
import type { World } from '../state/world.ts';
import {
  type CallKey,
  chooseProvider,
  parseInput,
  readKeyedCall,
  refuseAdmission,
  refuseInput,
  withSpend,
} from './admission.ts';
import { addressedModel, type RouterCall } from './catalog.ts';
import { statusBody } from './queued-requests.ts';
import { deadlineExceeded, refusals, toReply } from './replies.ts';

export async function runModel(call: RouterCall, world: World): Promise<Reply> {
  const accepted = accept('run', call, world);
  const reply = isReply(accepted) ? accepted : await dispatch(accepted, world);
  return reply.status === 200 && reply.isProxied !== true ? withSpend(reply, call, world) : reply;
}

/** Runs an accepted call. Its outcome is recorded before the caller waits for it (MR-LIM-01). */
async function dispatch(accepted: Accepted, world: World): Promise<Reply> {
  const { call, response, recorded, key, model, now } = accepted;
  // No provider accepted the call, so the key can be used again.
  if (response.kind === 'internal_error' || response.kind === 'service_unavailable') return recorded;
  if (response.isRawOutput) {
    const facts = { model: model.id, servedBy: response.servedBy };
    world.notice('the output could not be converted back', facts); // Required by MR-RUN-26.
  }
  const { providerMs, holdMs } = world.settings.timings;
  const run = newRun(accepted, { startsAt: now, usualMs: providerMs });
  const { id, endsAt } = run;
  const releasedAt = Math.min(endsAt, response.deadline === undefined ? now + holdMs : now);
  const unreplayable = key && findUnreplayable(response);
  const replies = key !== undefined && unreplayable === undefined ? { [id]: recorded } : {};
  const claim = claimKey(accepted, { runId: id, answerId: id, releasedAt, endsAt, unreplayable });
  world.records.admit({ run, replies, claim }, now);

  const { clock } = world.config;
  const { signal } = call.request;
  const stopsWaiting = AbortSignal.any([signal, world.closing]);
  while (clock.now() < releasedAt && !stopsWaiting.aborted) await clock.sleep(releasedAt - clock.now(), stopsWaiting);
  if (signal.aborted) {
    const current = world.records.findRun(id); // Undefined after a reset.
    if (current !== undefined) world.records.change({ ...current, disconnectedAt: clock.now() });
    return refusals.clientDisconnected;
  }
  if (clock.now() < releasedAt) return refusals.serviceUnavailable; // The sandbox is closing; a retry may still get the result.
  if (response.intercepted !== undefined) return response.intercepted;
  if (response.deadline === undefined && releasedAt === endsAt) return recorded;
  const hasHandle = key !== undefined && response.deadline !== 'lost';
  return deadlineExceeded(hasHandle ? endsAt - clock.now() : undefined);
}

/** Returns the reason if the record of a synchronous run cannot be replayed (MR-IDM-28, MR-IDM-30). */
function findUnreplayable(response: ProviderResponse): Unreplayable | undefined {
  if (response.deadline === 'lost') return 'lost';
  return response.kind === 'result' && response.replay !== 'safe' ? response.replay : undefined;
}

/** A retry with the key replays the handle (OP-222); the provider's future response is recorded together with the handle. */
export function submitRequest(call: RouterCall, world: World): Reply {
  const accepted = accept('submit', call, world);
  if (isReply(accepted)) return accepted;
  const { model, key, now, response, recorded } = accepted;
  const { waitingMs, runningMs, queueTimeoutMs } = world.settings.timings;
  const queued = newRun(accepted, { startsAt: now + waitingMs, usualMs: runningMs });
  const run = { ...queued, timesOutAt: now + queueTimeoutMs };
  // A router that lost the provider's handle reports `deadline_exceeded`.
  if (response.deadline === 'lost') run.errorType = 'deadline_exceeded';
  const handle = jsonReply(201, statusBody({ model, run }, call, world));
  const answerId = `handle of ${run.id}`;
  const replies = { [run.id]: recorded, ...(key === undefined ? {} : { [answerId]: handle }) };
  const ends = { releasedAt: now, endsAt: now, unreplayable: undefined };
  const claim = claimKey(accepted, { runId: run.id, answerId, ...ends });
  world.records.admit({ run, replies, claim }, now);
  return response.intercepted ?? handle;
}

/** A call that starts work, accepted at `now` (ms), with its provider's response and the resulting reply. */
type Accepted = {
  operation: Run['operation'];
  call: RouterCall;
  model: ServedModel;
  key: CallKey | undefined;
  now: number;
  response: ProviderResponse;
  recorded: Reply;
};

/** Decides whether a call starts work. Doesn't await anything, so two calls with the same key cannot both be new (MR-IDM-33). */
function accept(operation: Run['operation'], call: RouterCall, world: World): Accepted | Reply {
  const model = addressedModel(call, world);
  if (isReply(model)) return model;
  const document = model.document();
  if (document === undefined) return refusals.internalError;
  if (operation === 'submit' && returnsBytes(document)) return refusals.queueNotEnabled;
  const keyed = readKeyedCall(call, world);
  if (isReply(keyed)) return keyed;
  const body = parseInput(keyed.bytes);
  if (isReply(body)) return body;
  // A submission always uses the default provider, because it has no query parameters (OP-048).
  const query = new URLSearchParams(operation === 'run' ? call.query : '');
  const choice = chooseProvider({ query, model, document }, world);
  if (isReply(choice)) return choice;
  const schemaModel = choice.manner === 'strict' ? choice.by : model; // Model whose schema the body must satisfy.
  const refusal = refuseInput(body, schemaModel.document()?.input?.check) ?? refuseAdmission(call, world, operation);
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
  return { operation, call, model, key: keyed.key, now, response, recorded: toReply(response) };
}

/** Creates a run that is dispatched at `startsAt`. `usualMs`: duration unless the provider sets one. */
function newRun(
  { operation, call, model, key, now, response, recorded }: Accepted,
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
    errorType: recorded.headers[errorType],
    isBilled: response.isBilled,
    servedBy: response.servedBy,
    received: response.received,
    withdrawnAt: undefined,
    replays: 0,
    disconnectedAt: undefined,
  };
}

/** Binds the key, if any, to this call as its first accepted one. */
function claimKey({ key, now }: Accepted, rest: Omit<KeyRecord, 'fingerprint' | 'firstAcceptedAt'>): Claim | undefined {
  return key && { slot: key.slot, record: { ...rest, fingerprint: key.fingerprint, firstAcceptedAt: now } };
}
