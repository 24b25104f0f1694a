import { DeadlinePassed, within } from '../http/clock.ts';
import { explainEnd } from '../http/send.ts';
import type { RouterCall } from './connection.ts';
import { type CallIdentity, fromStore, newRun, refuse } from './failures.ts';
import { printInput, refuseInvalid } from './input.ts';
import { isSameCall, keyLifetimeMs, type StoredCall } from './key-store.ts';
import { formatQuery, modelUrl } from './model-address.ts';
import type { ResumeOptions, SubmitOptions, SubscribeOptions } from './options.ts';
import { type Answer, ask, type Question } from './policy.ts';
import { type Admitted, admit, collectOrLeave, readAdmitted } from './queue.ts';
import { type ConvertedResult, leaveLate, toResult } from './results.ts';
import { isRouterError } from './router-error.ts';
import type { AnyModel } from './router-types.ts';

export type RunChoices = SubmitOptions & {
  readonly as?: 'stream' | undefined;
  readonly settle?: 'manual' | undefined;
  readonly modelProvider?: string | undefined;
  readonly fallbackProvider?: string | undefined;
  readonly strictMode?: boolean | undefined;
};

export async function run(
  model: AnyModel,
  input: unknown,
  options: RunChoices,
  call: RouterCall,
): Promise<ConvertedResult<unknown>> {
  const { modelProvider, fallbackProvider, strictMode } = options;
  const identity = identify('run', model);
  if (strictMode === true && modelProvider === undefined) throw refuse(identity, 'strictMode needs modelProvider');
  if (options.as === 'stream' && typeof ReadableStream !== 'function')
    throw refuse(identity, "this platform has no ReadableStream, which as: 'stream' gives");
  const query = formatQuery({
    model_provider: modelProvider,
    strict_mode: strictMode?.toString(),
    fallback_provider: fallbackProvider,
  });
  const request = await createRequest('run', model, input, options, call);
  const answer = await sendBilled({ ...request, url: request.url + query, parse: asOutput }, options, call);
  return await toResult(answer, options.settle === 'manual', call);
}

/** Puts a run into the queue. */
export async function enqueue(
  model: AnyModel,
  input: unknown,
  options: SubmitOptions,
  call: RouterCall,
): Promise<Admitted> {
  const request = await createRequest('submit', model, input, options, call);
  const parse = (answer: Answer): Admitted | string => readAdmitted(answer, model, call);
  return await admit(await sendBilled({ ...request, parse }, options, call), call);
}

export async function subscribe(
  model: AnyModel,
  input: unknown,
  options: SubscribeOptions,
  call: RouterCall,
): Promise<ConvertedResult<unknown>> {
  const { queued, state } = await enqueue(model, input, options, call);
  return await collectOrLeave(queued, options, call, state);
}

const asOutput = (answer: Answer): Answer => answer;

export const identify = (
  operation: 'run' | 'submit',
  { id, chargesOnPolicyRejection, inputAuthored }: AnyModel,
): CallIdentity & { readonly operation: 'run' | 'submit'; readonly model: string } => ({
  ...{ operation, model: id },
  ...{ chargesOnPolicyRejection, inputAuthored },
});

/** A run or a submission, as it is sent and kept. */
type BilledRequest<Result> = {
  readonly identity: ReturnType<typeof identify>;
  readonly model: AnyModel;
  readonly url: string;
  readonly body: string;
  readonly parse: Question<Result>['parse'];
};

async function createRequest(
  operation: 'run' | 'submit',
  model: AnyModel,
  input: unknown,
  { validate }: SubmitOptions,
  { client: { baseUrl } }: RouterCall,
): Promise<Omit<BilledRequest<never>, 'parse'>> {
  const identity = identify(operation, model);
  const path = modelUrl(baseUrl, identity);
  const body = printInput(input, identity);
  if (validate) refuseInvalid(body, validate, identity);
  return { identity, model, url: operation === 'run' ? path : `${path}/requests`, body };
}

/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
async function sendBilled<Result extends object>(
  request: BilledRequest<Result>,
  { idempotencyKey: given, as }: RunChoices,
  call: RouterCall,
): Promise<Result> {
  if (given === false) return await ask(createQuestion(request, request.identity, as, call), call);
  const { stored, isNew } = await openCall(request, given ?? undefined, call);
  return await sendStored(stored, { ...request, isNew, as }, call);
}

/** Sends a call that is in the store, for the first time or again. */
async function sendStored<Result extends object>(
  stored: StoredCall,
  request: BilledRequest<Result> & { readonly isNew: boolean; readonly as?: 'stream' | undefined },
  call: RouterCall,
): Promise<Result> {
  const { idempotencyKey: key, isExplicit, firstSentAt } = stored;
  const { isNew, as } = request;
  const identity = { ...request.identity, idempotencyKey: key, mayHaveRun: !isNew };
  const marginMs = 5 * 60_000; // a key must not run out while it is on its way
  const at = firstSentAt + keyLifetimeMs - marginMs;
  const message = `the key ${key} is older than 24 hours, or nearly so: its output can no longer be fetched, and ${newRun}`;
  if (call.client.clock.now() >= at) {
    await leaveLate(identity, 'done', call);
    const until = isExplicit
      ? `. The key stays refused as long as the key store knows it; forget('${key}') ends that`
      : '';
    throw refuse(identity, message + until);
  }
  try {
    return await ask({ ...createQuestion(request, identity, as, call), expiry: { at, message } }, call);
  } catch (error) {
    await leaveLate(identity, howItLeft(error, isNew), call);
    throw error;
  }
}

/**
 * What a failure says of the key. A refusal says so only of the attempt that it answers: where an earlier one may have been accepted, the
 * key is kept, which costs nothing.
 */
function howItLeft(error: unknown, isNew: boolean): Parameters<typeof leaveLate>[1] {
  if (!isRouterError(error)) return 'open';
  const { kind, attempts, mayBeBilled } = error;
  const isUnsent = attempts === 0 || ((kind === 'network' || kind === 'local') && !mayBeBilled);
  if (isNew && isUnsent) return 'unspent';
  if (kind === 'aborted') return 'aborted';
  if (kind !== 'router' && kind !== 'validation') return 'open';
  if (error.facts.replayed || (error.status === 409 && error.category.known === 'invalid_input')) return 'done';
  return isNew && attempts === 1 && !error.isRetryable && error.status < 500 ? 'unspent' : 'open';
}

async function openCall(
  { identity, url, body }: BilledRequest<object>,
  given: string | undefined,
  call: RouterCall,
): Promise<{ stored: StoredCall; isNew: boolean }> {
  const { client } = call;
  const idempotencyKey = given ?? call.id;
  if (!/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw refuse(identity, 'the option idempotencyKey has 1 to 255 visible ASCII characters');
  const { operation, model } = identity;
  const keyed = { ...identity, idempotencyKey };
  const made: StoredCall = {
    ...{ idempotencyKey, operation, model, url, body },
    owner: await client.credential.owner(),
    firstSentAt: client.clock.now(),
    isExplicit: given !== undefined,
    ...(client.recoverScope === undefined ? {} : { recoverScope: client.recoverScope }),
  };
  try {
    const opening = fromStore(client.keys.begin(made), keyed);
    const opened = await (client.hasOwnKeys ? opening : waitForStore(opening, made, call));
    if (isSameCall(opened.stored, made)) return opened;
  } catch (error) {
    throw explainEnd(error, keyed, { attempts: 0, isOpen: false }, call);
  }
  // What is under way with the key goes on.
  throw refuse(keyed, `the key ${idempotencyKey} belongs to another request, or to another owner of the credential`);
}

/** A store that hangs would hold the call for its whole time, and its caller would not know why. */
async function waitForStore(
  opening: Promise<{ stored: StoredCall; isNew: boolean }>,
  made: StoredCall,
  call: RouterCall,
): Promise<{ stored: StoredCall; isNew: boolean }> {
  const { client, signal, endsAt } = call;
  try {
    return await within(
      opening,
      { clock: client.clock, signal, endsAt },
      60_000,
      () => '; the key store gave no answer',
    );
  } catch (cause) {
    if (cause instanceof DeadlinePassed || signal?.aborted)
      // What the store writes down too late was never sent.
      void opening.then(
        ({ stored, isNew }) =>
          isSameCall(stored, made) ? leaveLate(stored, isNew ? 'unspent' : 'open', call) : undefined,
        () => undefined,
      );
    throw cause;
  }
}

function createQuestion<Result extends object>(
  { url, body, parse, model }: BilledRequest<Result>,
  identity: CallIdentity,
  as: 'stream' | undefined,
  { client: { runTimeoutMs } }: RouterCall,
): Question<Result> {
  const { idempotencyKey: key, operation } = identity;
  const isOutput = operation === 'run';
  // Another provider has outputs of its own.
  const outputMediaTypes = /[?&](model|fallback)_provider=/.test(url) ? undefined : model.outputMediaTypes;
  return {
    ...{ identity, url, body, parse, isOutput, outputMediaTypes },
    repetition: key === undefined ? 'unkeyed' : 'keyed',
    // A replayed submission may be answered with the status of every replay (MR-IDM-03), and a gateway may change that of a run.
    successes: [200, 201],
    isStream: isOutput && as === 'stream',
    timeoutMs: runTimeoutMs,
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
  };
}

/** Goes on with a call that the key store holds. */
export async function resume(
  {
    idempotencyKey,
    operation = 'run',
    model: id,
  }: { idempotencyKey: string; operation?: 'run' | 'submit' | undefined; model?: string | undefined },
  options: ResumeOptions & { readonly model?: string | AnyModel | undefined },
  call: RouterCall,
): Promise<ConvertedResult<unknown>> {
  const { keys } = call.client;
  const identity = { operation, model: id, idempotencyKey };
  const stored = await fromStore(keys.take(idempotencyKey), identity);
  if (stored === undefined)
    throw refuse(identity, `nothing is pending under the key ${idempotencyKey}, or another process works on it`);
  try {
    return await resumeStored(stored, options, call);
  } catch (error) {
    // It does nothing for a call that has left already.
    await leaveLate({ idempotencyKey }, 'open', call);
    throw error;
  }
}

async function resumeStored(
  stored: StoredCall,
  options: ResumeOptions & { readonly model?: string | AnyModel | undefined },
  call: RouterCall,
): Promise<ConvertedResult<unknown>> {
  const { client } = call;
  const { operation, url, idempotencyKey, queued, owner, isDone } = stored;
  const model = typeof options.model === 'object' ? options.model : { id: options.model ?? stored.model };
  const identity = identify(operation, model);
  const keyed = { ...identity, idempotencyKey, mayHaveRun: true };
  const { origin } = new URL(url);
  if (model.id !== stored.model) throw refuse(keyed, `the call is one of ${stored.model}, and not of ${model.id}`);
  if (owner !== (await client.credential.owner()))
    throw refuse(keyed, 'the call was sent with another credential; set credentialScope if both have one owner');
  if (!client.trustedOrigins.has(origin))
    throw refuse(keyed, `the call was sent to ${origin}, which is not in trustedOrigins`);
  if (queued !== undefined && !isDone) return await collectOrLeave({ model, queued, idempotencyKey }, options, call);
  const body = options.input === undefined ? stored.body : printInput(options.input, keyed);
  if (body === undefined) throw refuse(keyed, 'the key store no longer has its input: give it as the option input');
  if (!isSameCall({ ...stored, body }, stored)) throw refuse(keyed, 'the input is not the one of the call');
  const request = { identity, model, url, body, isNew: false };
  if (operation === 'run')
    return await toResult(
      await sendStored(stored, { ...request, parse: asOutput }, call),
      options.settle === 'manual',
      call,
    );
  const parse = (answer: Answer): Admitted | string => readAdmitted(answer, model, call);
  const admitted = await admit(await sendStored(stored, { ...request, parse }, call), call);
  return await collectOrLeave(admitted.queued, options, call);
}
