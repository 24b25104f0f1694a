import type { Answer } from './ask.ts';
import { type BilledRequest, sendBilled, sendStored } from './billed-call.ts';
import type { Work } from './connection.ts';
import { fail, fromStore } from './failures.ts';
import { printInput, refuseInvalid } from './input.ts';
import type { StoredCall } from './key-store.ts';
import { formatQuery, modelUrl } from './model-address.ts';
import { type Admitted, admit, collectOrLeave, readAdmitted } from './queued-request.ts';
import { type ConvertedResult, kept, type RunResult, toResult } from './results.ts';
import type { AnyModel } from './router-types.ts';

export async function run(target: string | AnyModel, input: unknown, work: Work): Promise<ConvertedResult<unknown>> {
  const { modelProvider, fallbackProvider, strictMode } = work;
  const request = await createRequest('run', target, input, work);
  if (strictMode === true && modelProvider === undefined) throw fail(request, 'strictMode needs modelProvider');
  const query = formatQuery({
    model_provider: modelProvider,
    strict_mode: strictMode?.toString(),
    fallback_provider: fallbackProvider,
  });
  return toResult(await sendBilled<Answer>({ ...request, url: request.url + query }, work), work);
}

/** Puts a run into the queue. */
export async function enqueue(target: string | AnyModel, input: unknown, work: Work): Promise<Admitted> {
  const request = await createRequest('submit', target, input, work);
  return admit(await sendBilled({ ...request, parse: readAdmitted }, work), work);
}

export async function subscribe(target: string | AnyModel, input: unknown, work: Work): Promise<RunResult<unknown>> {
  const { call, state } = await enqueue(target, input, work);
  return collectOrLeave(call, work, state);
}

async function createRequest(
  operation: 'run' | 'submit',
  target: string | AnyModel,
  input: unknown,
  { baseUrl, validate }: Work,
): Promise<BilledRequest<never>> {
  const { id: model, ...facts } = toModel(target);
  const identity = { ...facts, operation, model };
  const path = modelUrl(baseUrl, identity);
  const body = printInput(input, identity);
  if (validate) refuseInvalid(body, validate, identity);
  return { ...identity, url: operation === 'run' ? path : `${path}/requests`, body };
}

export function toModel(target: string | AnyModel): AnyModel {
  return typeof target === 'string' ? { id: target } : target;
}

type ResumeWork = Work & { readonly model?: string | AnyModel };

/** Goes on with a call that the key store holds. */
export async function resume(
  { key, operation = 'run', model }: Partial<StoredCall> & Pick<StoredCall, 'key'>,
  work: ResumeWork,
): Promise<ConvertedResult<unknown>> {
  const { keys } = work;
  const identity = { operation, model, key };
  const stored = await fromStore(keys.take(key), identity);
  if (stored === undefined)
    throw fail(identity, `nothing is pending under the key ${key}, or another process works on it`);
  try {
    return await resumeStored(stored, work);
  } catch (error) {
    await kept(() => keys.release(key), work); // does nothing for a call that is forgotten
    throw error;
  }
}

async function resumeStored(stored: StoredCall, work: ResumeWork): Promise<ConvertedResult<unknown>> {
  const { operation, model, url, body, key, queued, owner } = stored;
  const { id, ...facts } = toModel(work.model ?? model);
  const { origin } = new URL(url);
  const request = { ...facts, operation, model, url, body, key, mayHaveRun: true };
  if (id !== model) throw fail(request, `the call is one of ${model}, and not of ${id}`);
  if (!work.trustedOrigins.has(origin))
    throw fail(request, `the call was sent to ${origin}, which is not in trustedOrigins`);
  if (queued !== undefined) return collectOrLeave({ model, key, queued, owner }, work);
  if (operation === 'run') return toResult(await sendStored<Answer>(stored, request, work), work);
  const admitted = await admit(await sendStored(stored, { ...request, parse: readAdmitted }, work), work);
  return collectOrLeave(admitted.call, work);
}
