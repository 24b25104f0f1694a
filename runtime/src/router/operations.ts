import { type BilledRequest, type KeyOptions, sendBilled, sendStored } from './billed-call.ts';
import type { TimeLimit } from './call.ts';
import type { Connection } from './connection.ts';
import { endedFailure, localFailure, protocolFailure } from './failures.ts';
import type { KeyStore, StoredCall } from './key-store.ts';
import { modelUrl, queryOf } from './model-address.ts';
import { cancelQueued, collect, type QueuedCall, readStates, readStatus } from './queue.ts';
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

/** A client at work: what its calls share, and where it keeps its keys. */
export type Session = { readonly connection: Connection; readonly store: KeyStore };

const day = 24 * 60 * 60 * 1000;

export function limitOf({ signal, deadlineMs }: CallOptions, { connection }: Session, usualMs = day): TimeLimit {
  const lasts = deadlineMs ?? usualMs;
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
  const answer = await sendBilled(billed, contextOf(options, session), session.connection);
  return toResult(answer, modelProvider !== undefined && strictMode !== true);
}

export async function submit(
  target: string | AnyModel,
  input: unknown,
  options: CallOptions & KeyOptions,
  session: Session,
): Promise<QueuedRequest<unknown>> {
  const request = requestOf('submit', target, input, session);
  const answer = await sendBilled(request, contextOf(options, session), session.connection);
  return admitted({ ...request, ...(answer.key === undefined ? {} : { key: answer.key }) }, answer, session);
}

type Admission = Awaited<ReturnType<typeof sendBilled>>;

async function admitted(request: BilledRequest, answer: Admission, session: Session): Promise<QueuedRequest<unknown>> {
  const state = readQueueState(answer.body.kind === 'json' ? answer.body.value : undefined, answer.facts);
  if (state === undefined) throw protocolFailure(request, answer, 'the body is no handle of a queued request');
  if (request.key !== undefined) await session.store.admit(request.key, state.addresses);
  const { model, key, chargesOnPolicyRejection } = request;
  return handleOf({ model, key, chargesOnPolicyRejection, addresses: state.addresses }, session, answer.facts.replayed);
}

export async function subscribe(
  target: string | AnyModel,
  input: unknown,
  options: SubscribeOptions,
  session: Session,
): Promise<RunResult<unknown>> {
  const { clock } = session.connection;
  const time = limitOf(options, session);
  const left = (): CallOptions => ({ signal: time.signal, deadlineMs: Math.max(0, time.endsAt - clock.now()) });
  const handle = await submit(target, input, { ...options, ...left() }, session);
  try {
    for await (const state of handle.states(left())) {
      options.onStatus?.(state);
      if (state.kind === 'ended') throw endedFailure(identityOf(handle, target), state);
    }
    return await handle.result({ ...left(), ...(options.as === undefined ? {} : { as: options.as }) });
  } catch (error) {
    const { kind } = error as RouterError; // anything else has no kind
    if (options.cancelOnAbort === true && (kind === 'aborted' || kind === 'timeout'))
      await handle.cancel({ deadlineMs: 10_000 }).catch(() => undefined); // the first error is the one to report
    throw error;
  }
}

function identityOf({ addresses, key }: QueuedRequest<unknown>, target: string | AnyModel) {
  const chargesOnPolicyRejection = typeof target === 'string' ? undefined : target.chargesOnPolicyRejection;
  return { operation: 'result', model: idOf(target), key, queued: addresses, chargesOnPolicyRejection } as const;
}

/** Goes on with a call that the key store holds. */
export async function resume(call: StoredCall, options: CallOptions, session: Session): Promise<RunResult<unknown>> {
  const { store, connection } = session;
  const { operation, model, url, body, queued, key } = call;
  const request: BilledRequest = { operation, model, url, body, headers: {}, key };
  const stored = await store.take(key);
  if (stored === undefined)
    throw localFailure(request, `nothing is pending under the key ${key}, or another process works on it`);
  const time = limitOf(options, session);
  if (queued !== undefined) return handleOf({ model, key, addresses: queued }, session, false).result(options);
  const answer = await sendStored(stored, { request, time, store }, connection);
  if (operation === 'run') return toResult({ ...answer, key }, url.includes('?')) as RunResult<unknown>; // the data is unknown in both
  return (await admitted(request, { ...answer, key }, session)).result(options);
}

/** A queued request, by its addresses. */
export function handleOf(queued: QueuedCall, session: Session, replayed: boolean): QueuedRequest<unknown> {
  const { connection, store } = session;
  const minutes = 5 * 60_000;
  const states = (options: CallOptions = {}) => readStates(queued, limitOf(options, session), connection);
  const { key, addresses } = queued;
  return {
    requestId: addresses.requestId,
    addresses,
    ...(key === undefined ? {} : { key }),
    replayed,
    status: (options = {}) => readStatus(queued, limitOf(options, session, minutes), connection),
    states,
    [Symbol.asyncIterator]: () => states()[Symbol.asyncIterator](),
    cancel: (options = {}) => cancelQueued(queued, limitOf(options, session, minutes), connection),
    async result(options = {}) {
      const answer = await collect(
        queued,
        { time: limitOf(options, session), stream: options.as === 'stream' },
        connection,
      );
      if (key !== undefined) await store.finish(key);
      return toResult(answer, false) as RunResult<unknown>; // no other provider serves a queued request
    },
  };
}

/** The addresses that the API documents give to a request id, for callers who kept nothing else. */
export function addressesOf(model: string, requestId: string, { connection }: Session): QueuedAddresses {
  const base = `${modelUrl(connection.baseUrl, model, { operation: 'status', model })}/requests/${encodeURIComponent(requestId)}`;
  return { requestId, statusUrl: `${base}/status`, responseUrl: base, cancelUrl: `${base}/cancel` };
}

export const idOf = (target: string | AnyModel): string => (typeof target === 'string' ? target : target.id);

function requestOf(
  operation: 'run' | 'submit',
  target: string | AnyModel,
  input: unknown,
  { connection }: Session,
): BilledRequest {
  const model = idOf(target);
  const chargesOnPolicyRejection = typeof target === 'string' ? undefined : target.chargesOnPolicyRejection;
  const identity = { operation, model, chargesOnPolicyRejection };
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
    throw localFailure(identity, 'the input cannot be written as JSON', cause);
  }
  throw localFailure(identity, 'an input is a JSON object');
}

function contextOf(options: CallOptions & KeyOptions, session: Session) {
  return { options, time: limitOf(options, session), store: session.store };
}
