import { type BilledRequest, type KeyOptions, kept, sendBilled, sendStored } from './billed-call.ts';
import { type Answer, anotherOwner, credentialOf, endOf, type TimeLimit } from './call.ts';
import type { Connection } from './connection.ts';
import { endedFailure, localFailure, protocolFailure } from './failures.ts';
import { notify } from './hooks.ts';
import type { KeyStore, StoredCall } from './key-store.ts';
import { isSegment, modelUrl, queryOf } from './model-address.ts';
import { cancelQueued, checkOrigin, collect, identityOf, type QueuedCall, readStates, readStatus } from './queue.ts';
import { readQueueState } from './queue-state.ts';
import { type ConvertedResult, type RunResult, toResult } from './results.ts';
import type { QueuedAddresses, RouterError } from './router-error.ts';
import type {
  AnyModel,
  CallOptions,
  QueuedRequest,
  RunOptions,
  SubscribeOptions,
  UntypedQuery,
} from './router-types.ts';
import { settled } from './settled.ts';

/** A client at work: what its calls share, and where it keeps its keys. */
export type Session = { readonly connection: Connection; readonly store: KeyStore };

const day = 24 * 60 * 60 * 1000;

export function limitOf({ signal, deadlineMs }: CallOptions, { connection }: Session, usualMs = day): TimeLimit {
  const lasts = deadlineMs ?? usualMs;
  if (Number.isNaN(lasts)) throw new TypeError('deadlineMs is no number');
  return { signal: signal ?? new AbortController().signal, deadlineMs: lasts, endsAt: connection.clock.now() + lasts };
}

export async function run(
  target: string | AnyModel,
  input: unknown,
  options: RunOptions & UntypedQuery,
  session: Session,
): Promise<ConvertedResult<unknown>> {
  const { modelProvider, fallbackProvider, strictMode } = options;
  const request = requestOf('run', target, input, session);
  if (strictMode === true && modelProvider === undefined) throw localFailure(request, 'strictMode needs modelProvider');
  const query = queryOf({
    model_provider: modelProvider,
    strict_mode: strictMode?.toString(),
    fallback_provider: fallbackProvider,
  });
  const url = `${request.url}${query}`;
  const billed = { ...request, url, stream: options.as === 'stream' };
  const context = { options, time: limitOf(options, session), store: session.store };
  const answer = await sendBilled(billed, context, session.connection);
  return toResult(answer, modelProvider !== undefined && strictMode !== true);
}

export async function submit(
  target: string | AnyModel,
  input: unknown,
  options: CallOptions & KeyOptions,
  session: Session,
): Promise<QueuedRequest<unknown>> {
  const { queued, replayed } = await admit(target, input, { options, time: limitOf(options, session) }, session);
  return handleOf(queued, session, replayed);
}

async function admit(
  target: string | AnyModel,
  input: unknown,
  { options, time }: { options: KeyOptions; time: TimeLimit },
  session: Session,
): Promise<{ queued: QueuedCall; replayed: boolean }> {
  const request = requestOf('submit', target, input, session);
  const answer = await sendBilled(request, { options, time, store: session.store }, session.connection);
  const queued = await admitted({ ...request, key: answer.key }, answer, session);
  return { queued, replayed: answer.facts.replayed };
}

async function admitted(request: BilledRequest, answer: Answer, { store }: Session): Promise<QueuedCall> {
  const state = readQueueState(answer.body.kind === 'json' ? answer.body.value : undefined, answer.facts);
  const { model, key, chargesOnPolicyRejection } = request;
  if (state === undefined) {
    if (key !== undefined) await kept(store.release(key));
    throw protocolFailure(request, answer, 'the body is no handle of a queued request');
  }
  if (key !== undefined) await kept(store.admit(key, state.addresses));
  return { model, key, chargesOnPolicyRejection, addresses: state.addresses };
}

export async function subscribe(
  target: string | AnyModel,
  input: unknown,
  options: SubscribeOptions,
  session: Session,
): Promise<RunResult<unknown>> {
  const { connection } = session;
  const time = limitOf(options, session);
  const { queued } = await admit(target, input, { options, time }, session);
  try {
    for await (const state of readStates(queued, time, connection)) {
      void notify(options.onStatus, state);
      if (state.kind === 'ended') throw endedFailure(identityOf('result', queued), state);
    }
    return await resultOf(queued, { time, as: options.as }, session);
  } catch (error) {
    const { kind } = error as RouterError; // anything else has no kind
    if (options.cancelOnAbort === true && (kind === 'aborted' || kind === 'timeout'))
      // The first error is the one to report.
      await cancelQueued(queued, limitOf({ deadlineMs: 10_000 }, session), connection).catch(() => undefined);
    await leave(queued, error, session);
    throw error;
  }
}

async function resultOf(
  queued: QueuedCall,
  { time, as }: { time: TimeLimit; as?: 'stream' | undefined },
  session: Session,
): Promise<RunResult<unknown>> {
  const answer = await collect(queued, { time, stream: as === 'stream' }, session.connection);
  if (queued.key !== undefined) await kept(session.store.finish(queued.key));
  return toResult(answer, false) as RunResult<unknown>; // no other provider serves a queued request
}

/** A request that ended without a result is forgotten; any other one stays in the store, to be resumed. */
async function leave({ key }: QueuedCall, error: unknown, { store }: Session): Promise<void> {
  const facts = error as RouterError; // anything else has no kind
  const isAnswer = facts.kind === 'router' || facts.kind === 'validation';
  const hasEnded = isAnswer && !facts.isRetryable && facts.status !== 401 && facts.status !== 403;
  if (key !== undefined) await kept(hasEnded ? store.finish(key) : store.release(key));
}

/** Goes on with a call that the key store holds. */
export async function resume(
  { key, operation, model }: StoredCall,
  options: CallOptions,
  session: Session,
): Promise<ConvertedResult<unknown>> {
  const { store } = session;
  const identity = { operation, model, key };
  const stored = await store.take(key).catch((cause: unknown) => {
    throw localFailure(identity, 'the key store cannot be read', { cause });
  });
  if (stored === undefined)
    throw localFailure(identity, `nothing is pending under the key ${key}, or another process works on it`);
  const time = limitOf(options, session);
  try {
    return await resumeStored(stored, time, session);
  } catch (error) {
    await kept(store.release(key)); // does nothing for a call that is forgotten
    throw error;
  }
}

async function resumeStored(stored: StoredCall, time: TimeLimit, session: Session): Promise<ConvertedResult<unknown>> {
  const { store, connection } = session;
  const { operation, model, url, body, key, queued: addresses } = stored;
  const request: BilledRequest = { operation, model, url, body, headers: {}, key, mayHaveRun: true };
  checkOrigin(url, request, connection);
  const { owner } = await credentialOf(request, time, connection).catch((error: unknown) => {
    throw endOf(error, { ...request, time }, 0);
  });
  if (owner !== stored.owner) throw anotherOwner(request, 0);
  const queued: QueuedCall | undefined = addresses && { model, key, addresses };
  if (queued !== undefined) return collectStored(queued, time, session);
  const answer = await sendStored(stored, { request, time, store, isNew: false }, connection);
  if (operation === 'submit') return collectStored(await admitted(request, answer, session), time, session);
  const query = new URL(url).searchParams;
  return toResult({ ...answer, key }, query.has('model_provider') && query.get('strict_mode') !== 'true');
}

async function collectStored(queued: QueuedCall, time: TimeLimit, session: Session): Promise<RunResult<unknown>> {
  try {
    return await resultOf(queued, { time }, session);
  } catch (error) {
    await leave(queued, error, session);
    throw error;
  }
}

/** A queued request, by its addresses. */
export function handleOf(queued: QueuedCall, session: Session, replayed: boolean): QueuedRequest<unknown> {
  const { connection } = session;
  const minutes = 5 * 60_000;
  const states = (options: CallOptions = {}) => readStates(queued, limitOf(options, session), connection);
  const { key, addresses } = queued;
  const methods = {
    status: (options: CallOptions = {}) => readStatus(queued, limitOf(options, session, minutes), connection),
    cancel: (options: CallOptions = {}) => cancelQueued(queued, limitOf(options, session, minutes), connection),
    async result(options: CallOptions & { as?: 'stream' } = {}) {
      try {
        return await resultOf(queued, { time: limitOf(options, session), as: options.as }, session);
      } catch (error) {
        await leave(queued, error, session);
        throw error;
      }
    },
  };
  return {
    requestId: addresses.requestId,
    addresses,
    ...(key === undefined ? {} : { key }),
    replayed,
    ...methods,
    states,
    [Symbol.asyncIterator]: () => states()[Symbol.asyncIterator](),
    safe: settled(methods),
  };
}

/** The addresses that the API documents give to a request id, for callers who kept nothing else. */
export function addressesOf(model: string, requestId: string, { connection }: Session): QueuedAddresses {
  const identity = { operation: 'status', model } as const;
  if (!isSegment(requestId)) throw localFailure(identity, 'a request id is a UUID');
  const base = `${modelUrl(connection.baseUrl, model, identity)}/requests/${encodeURIComponent(requestId)}`;
  return { requestId, statusUrl: `${base}/status`, responseUrl: base, cancelUrl: `${base}/cancel` };
}

export const idOf = (target: string | AnyModel): string => (typeof target === 'string' ? target : target.id);

function requestOf(
  operation: 'run' | 'submit',
  target: string | AnyModel,
  input: unknown,
  { connection }: Session,
): BilledRequest {
  const {
    id: model,
    chargesOnPolicyRejection,
    inputAuthored,
  }: AnyModel = typeof target === 'string' ? { id: target } : target;
  const identity = { operation, model, chargesOnPolicyRejection, inputAuthored };
  const path = modelUrl(connection.baseUrl, model, identity);
  return {
    ...identity,
    url: operation === 'run' ? path : `${path}/requests`,
    body: bodyOf(input, identity),
    headers: {},
  };
}

function bodyOf(input: unknown, identity: Parameters<typeof localFailure>[0]): string {
  try {
    const text = JSON.stringify(input);
    if (text?.startsWith('{')) return text;
  } catch (cause) {
    throw localFailure(identity, 'the input cannot be written as JSON', { cause });
  }
  throw localFailure(identity, 'an input is a JSON object');
}
