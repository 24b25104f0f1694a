import { type Bytes, newId } from '../digest.ts';
import { isReply, type Reply } from '../http/messages.ts';
import type { ServedModel } from '../models/served-model.ts';
import { callProvider } from '../provider/provider.ts';
import type { ProviderChoice, ProviderResponse, RunBody } from '../provider/provider-response.ts';
import type { Unreplayable } from '../state/idempotency.ts';
import type { Settings } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import { refuseAdmission, withSpend } from './admission.ts';
import { addressedModel, type RouterCall } from './catalog.ts';
import { deadlineExceeded, refusals } from './errors.ts';
import { parseInput, refuseInput } from './input.ts';
import { performKeyedCall } from './keyed-call.ts';
import { chooseProvider } from './provider-choice.ts';
import { proxiedReply, toReply } from './provider-reply.ts';
import { claimKey, type Dispatch, planSyncRun, type SyncPlan } from './run-plan.ts';

type RunRequest = { model: ServedModel; choice: ProviderChoice; body: RunBody };

export async function runModel(call: RouterCall, world: World): Promise<Reply> {
  const model = addressedModel(call, world);
  if (isReply(model)) return model;
  const reply = await performKeyedCall(call, world, (bytes, key) => {
    const request = readRequest({ call, model, bytes }, world);
    if (isReply(request)) return request;
    const start = (): Promise<Reply> => {
      const response = askProvider(request, call, world, world.config.clock.now());
      return dispatch({ call, model, response, key }, world);
    };
    return refuseAdmission(call, world, 'run') ?? start;
  });
  return reply.status === 200 && reply.isProxied !== true ? withSpend(reply, call, world) : reply;
}

function readRequest(
  { call, model, bytes }: { call: RouterCall; model: ServedModel; bytes: Bytes },
  world: World,
): RunRequest | Reply {
  const document = model.document();
  if (document === undefined) return refusals.internalError;
  const body = parseInput(bytes);
  if (isReply(body)) return body;
  const choice = chooseProvider({ query: new URLSearchParams(call.query), model, document }, world);
  if (isReply(choice)) return choice;
  const validating = choice.manner === 'strict' ? choice.by : model; // whose schema the body has to obey
  const refusal = refuseInput(body.input, validating.checkInput());
  return refusal ?? { model, choice, body: { bytes, input: body.input } };
}

/** `dispatchedAt` is when its provider gets the run (ms). */
export function askProvider(
  { model, choice, body }: RunRequest,
  { request: { origin } }: RouterCall,
  { config: { seed, assetFamilies: families }, behaviours }: World,
  dispatchedAt: number,
): ProviderResponse {
  const context = { seed, origin, dispatchedAt, families, attempt: behaviours.attempt };
  return callProvider(model, body, { choice, context });
}

/** From here on the call is accepted: its outcome is on record before anyone waits for it. */
async function dispatch(sent: Dispatch, world: World): Promise<Reply> {
  const { response, key, model } = sent;
  const recorded = toReply(response);
  if (response.kind === 'internal_error' || response.kind === 'service_unavailable') return recorded; // no provider accepted it, so the key stays free
  if (response.isRawOutput) {
    const facts = { model: model.id, servedBy: response.servedBy };
    world.notice('the output could not be converted back', facts); // MR-RUN-26
  }
  const now = world.config.clock.now();
  const plan = planSyncRun(sent, world.settings.timings, { id: newId(), now });
  const { run, releasedAt } = plan;
  const unreplayable = key === undefined ? undefined : whyUnreplayable(response, world.settings);
  if (unreplayable === 'failed-write') {
    world.settings = { ...world.settings, failingRecordWrites: world.settings.failingRecordWrites - 1 };
  }
  const claim = claimKey(key, run, { answerId: run.id, releasedAt, endsAt: run.endsAt, unreplayable });
  const isKept = key !== undefined && unreplayable === undefined;
  world.records.admit({ run, replies: isKept ? { [run.id]: recorded } : {}, claim }, now);
  return (await hold(sent, plan, world)) ?? recorded;
}

/** Why the record of a synchronous run cannot be replayed (MR-IDM-28 to MR-IDM-30). */
function whyUnreplayable(response: ProviderResponse, settings: Settings): Unreplayable | undefined {
  if (response.deadline === 'lost') return 'lost';
  if (response.kind === 'result' && response.replay !== 'safe') return response.replay;
  return settings.failingRecordWrites > 0 ? 'failed-write' : undefined;
}

/** Waits as the caller does. Resolves to what it gets in place of the provider's response, or undefined. */
async function hold({ call, response }: Dispatch, plan: SyncPlan, world: World): Promise<Reply | undefined> {
  const { clock } = world.config;
  const { signal } = call.request;
  const { run, releasedAt } = plan;
  const isOver = (): boolean => signal.aborted || world.closing.aborted;
  for (let now = clock.now(); now < releasedAt && !isOver(); now = clock.now()) {
    await clock.sleep(releasedAt - now, AbortSignal.any([signal, world.closing]));
  }
  if (signal.aborted) {
    const current = world.records.findRun(run.id); // undefined after a reset
    if (current !== undefined) world.records.change({ ...current, disconnectedAt: clock.now() });
    return refusals.clientDisconnected;
  }
  if (clock.now() < releasedAt) return refusals.serviceUnavailable; // the sandbox closes, and the key keeps its handle
  if (response.intercepted !== undefined) return proxiedReply(response.intercepted);
  return plan.isLate ? deadlineExceeded(plan.hasHandle ? run.endsAt - clock.now() : undefined) : undefined;
}
