import { type Bytes, newId, sha256 } from '../digest.ts';
import { creditsUsed, errorType, isReply, jsonReply, type Reply, withHeaders } from '../http/messages.ts';
import { returnsBytes } from '../models/produce-output.ts';
import type { ServedModel } from '../models/served-model.ts';
import { callProvider } from '../provider/provider.ts';
import type { ProviderChoice, ProviderResponse, RunBody } from '../provider/provider-response.ts';
import { decideKey, type KeyDecision, type KeyRecord, type Unreplayable } from '../state/idempotency.ts';
import type { Claim } from '../state/records.ts';
import type { Run } from '../state/run.ts';
import type { Settings, Timings } from '../state/settings.ts';
import type { World } from '../state/world.ts';
import { parseInput, refuseAdmission, refuseInput, withSpend } from './admission.ts';
import { addressedModel, type RouterCall } from './catalog.ts';
import { deadlineExceeded, invalidInput, keyStillRunning, refusals } from './errors.ts';
import { chooseProvider } from './provider-choice.ts';
import { proxiedReply, toReply } from './provider-reply.ts';
import { statusBody } from './queued-requests.ts';

/** The Idempotency-Key of a call and what it is bound to; undefined for a call without one. */
export type CallKey = { key: string; slot: string; fingerprint: string } | undefined;
/** Refused, which leaves the key free (MR-IDM-33), or ready to be dispatched. */
type Prepare = (body: Bytes, key: CallKey) => Reply | (() => Reply | Promise<Reply>);

/**
 * Decides by the Idempotency-Key, if there is one, whether a call is new. Nothing is awaited between the decision and the record
 * that dispatched work makes of it, so two calls with one key cannot both be new.
 */
export async function performKeyedCall(call: RouterCall, world: World, prepare: Prepare): Promise<Reply> {
  const { body, headers } = call.request;
  if (body === 'too-large') return refusals.bodyTooLarge;
  const header = headers['idempotency-key'];
  if (header !== undefined && !world.config.isKey(header)) {
    return invalidInput('This Idempotency-Key cannot be used; a UUID can.');
  }
  const key = readKey(header, call, body);
  const known = key === undefined ? undefined : replyFromRecord(key, world);
  if (known !== undefined) return known;
  const prepared = prepare(body, key);
  return isReply(prepared) ? prepared : prepared();
}

/** Compared are method, path, query and the exact bytes of the body (MR-IDM-24 to MR-IDM-27, NS-45). */
function readKey(key: string | undefined, { request, path, query, account }: RouterCall, body: Bytes): CallKey {
  if (key === undefined) return undefined;
  const fingerprint = sha256(Buffer.concat([Buffer.from(`${request.method} ${path} ${query} `), body]));
  return { key, slot: `${account.scope} ${key}`, fingerprint };
}

/** Undefined when the key is free. */
function replyFromRecord({ slot, fingerprint }: NonNullable<CallKey>, world: World): Reply | undefined {
  const decision = decideKey(world.records.findKey(slot), fingerprint, world.config.clock.now());
  switch (decision.kind) {
    case 'fresh':
      return undefined;
    case 'conflict':
      return refusals.keyConflict;
    case 'still-running':
      return keyStillRunning(decision.forMs);
    case 'collect-later':
      return deadlineExceeded(decision.forMs);
    case 'spent':
      return refusals.keySpent;
    case 'replay':
      return replay(decision, world);
  }
}

/** Costs nothing and starts nothing; a count of credits is left out (MR-IDM-02, MR-HDR-27). */
function replay({ answerId, runId }: Extract<KeyDecision, { kind: 'replay' }>, { records }: World): Reply {
  const recorded = records.findReply(answerId);
  const run = records.findRun(runId);
  if (recorded === undefined || run === undefined) return refusals.internalError; // all three were written as one
  records.change({ ...run, replays: run.replays + 1 });
  const { [creditsUsed]: _, ...headers } = recorded.headers;
  return withHeaders({ ...recorded, headers }, { 'Idempotent-Replayed': 'true' });
}

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
function askProvider(
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
async function hold(
  { call, response }: Dispatch,
  plan: ReturnType<typeof planSyncRun>,
  world: World,
): Promise<Reply | undefined> {
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

/** Always the default provider: the query of a run means nothing here (NS-48). */
export async function submitRequest(call: RouterCall, world: World): Promise<Reply> {
  const model = queueableModel(call, world);
  if (isReply(model)) return model;
  return performKeyedCall(call, world, (bytes, key) => {
    const body = parseInput(bytes);
    if (isReply(body)) return body;
    const refusal = refuseInput(body.input, model.checkInput()) ?? refuseAdmission(call, world, 'submit');
    return refusal ?? (() => admit({ call, model, body: { bytes, input: body.input }, key }, world));
  });
}

function queueableModel(call: RouterCall, world: World): ServedModel | Reply {
  const model = addressedModel(call, world);
  if (isReply(model)) return model;
  const document = model.document();
  if (document === undefined) return refusals.internalError;
  return returnsBytes(document) ? refusals.queueNotEnabled : model;
}

type Submission = { call: RouterCall; model: ServedModel; body: RunBody; key: CallKey };

/** Resending the key replays the handle (C-22); what the provider will respond is recorded beside it. */
function admit({ call, model, body, key }: Submission, world: World): Reply {
  const { config, records } = world;
  const now = config.clock.now();
  const { timings } = world.settings;
  const choice = { by: model, manner: 'native', fallbacks: [] } as const;
  const response = askProvider({ model, choice, body }, call, world, now + timings.waitingMs);
  const dispatch = { call, model, response, key };
  const run = planQueuedRun(dispatch, timings, { id: newId(), now });
  const handle = jsonReply(201, statusBody({ model, run }, call, world));
  const answerId = `handle of ${run.id}`;
  const claim = claimKey(key, run, { answerId, releasedAt: now, endsAt: now, unreplayable: undefined });
  const replies = { [run.id]: toReply(response), ...(key === undefined ? {} : { [answerId]: handle }) };
  records.admit({ run, replies, claim }, now);
  return response.intercepted === undefined ? handle : proxiedReply(response.intercepted);
}

type Dispatch = { call: RouterCall; model: ServedModel; response: ProviderResponse; key: CallKey };
type Course = Pick<Run, 'id' | 'operation' | 'submittedAt' | 'startsAt' | 'endsAt' | 'timesOutAt' | 'errorType'>;

/** The record of an admitted call. */
function recordRun({ call, model, response, key }: Dispatch, course: Course): Run {
  return {
    ...course,
    modelId: model.id,
    scope: call.account.scope,
    alias: call.account.alias,
    key: key?.key,
    isBilled: response.isBilled,
    servedBy: response.servedBy,
    received: response.received,
    withdrawnAt: undefined,
    replays: 0,
    disconnectedAt: undefined,
  };
}

/** A synchronous run from its dispatch on: how long it takes, and how long its caller is held (MR-LIM-01). */
function planSyncRun(dispatch: Dispatch, timings: Timings, { id, now }: { id: string; now: number }) {
  const { response } = dispatch;
  const endsAt = now + (response.durationMs > 0 ? response.durationMs : timings.providerMs);
  const heldUntil = response.deadline === undefined ? now + timings.holdMs : now;
  const isLate = response.deadline !== undefined || endsAt > heldUntil;
  const course = { submittedAt: now, startsAt: now, endsAt, timesOutAt: undefined, errorType: readErrorType(response) };
  return {
    run: recordRun(dispatch, { id, operation: 'run', ...course }),
    /** The caller waits until then (ms). */
    releasedAt: Math.min(endsAt, heldUntil),
    /** The router stopped holding before the response was there. */
    isLate,
    hasHandle: dispatch.key !== undefined && response.deadline !== 'lost',
  };
}

/** A queued run from its admission on; a handle that the router lost is a deadline that passed. */
function planQueuedRun(dispatch: Dispatch, timings: Timings, { id, now }: { id: string; now: number }): Run {
  const { response } = dispatch;
  const startsAt = now + timings.waitingMs;
  return recordRun(dispatch, {
    id,
    operation: 'submit',
    submittedAt: now,
    startsAt,
    endsAt: startsAt + (response.durationMs > 0 ? response.durationMs : timings.runningMs),
    timesOutAt: now + timings.queueTimeoutMs,
    errorType: response.deadline === 'lost' ? 'deadline_exceeded' : readErrorType(response),
  });
}

type Answer = Pick<KeyRecord, 'answerId' | 'releasedAt' | 'endsAt' | 'unreplayable'>;

/** Binds the key to its first accepted call; undefined for a call without one. */
function claimKey(key: CallKey, run: Run, answer: Answer): Claim | undefined {
  if (key === undefined) return undefined;
  const { slot, fingerprint } = key;
  return { slot, record: { ...answer, fingerprint, runId: run.id, firstAcceptedAt: run.submittedAt } };
}

/** The category of a response that is not a result. */
function readErrorType(response: ProviderResponse): string | undefined {
  return toReply(response).headers[errorType];
}
