import type { Answer, Deadline } from './attempt.ts';
import { type BilledRequest, kept } from './billed-call.ts';
import { startDeadline } from './call.ts';
import type { Session } from './connection.ts';
import { endedFailure, localFailure, protocolFailure } from './failures.ts';
import { isSegment, modelUrl } from './model-address.ts';
import {
  cancelQueued,
  collect,
  type EndedState,
  identify,
  type QueuedCall,
  type QueueState,
  readQueueState,
  readStates,
  readStatus,
} from './queue.ts';
import { type RunResult, toResult } from './results.ts';
import type { QueuedAddresses, RouterError } from './router-error.ts';
import type { CallOptions, PollOptions, QueuedRequest } from './router-types.ts';
import { settled } from './settled.ts';

/** Keeps where an admitted request is; throws where the answer does not say so. */
export async function admitted(
  request: BilledRequest,
  answer: Answer,
  { store }: Session,
): Promise<{ queued: QueuedCall; state: QueueState }> {
  const state = readQueueState(answer);
  const { model, key, chargesOnPolicyRejection } = request;
  if (state === undefined) {
    if (key !== undefined) await kept(store.release(key));
    throw protocolFailure(request, answer, 'the body is no handle of a queued request');
  }
  if (key !== undefined) await kept(store.admit(key, state.addresses));
  return { queued: { model, key, chargesOnPolicyRejection, addresses: state.addresses }, state };
}

type Wanted = { time: Deadline; as?: 'stream' | undefined; ended?: EndedState | undefined };

/** Collects the output, which ends the call in the key store. */
export async function collectResult(
  queued: QueuedCall,
  { time, as, ended }: Wanted,
  session: Session,
): Promise<RunResult<unknown>> {
  const answer = await collect(queued, { time, stream: as === 'stream', ended }, session.connection);
  if (queued.key !== undefined) await kept(session.store.finish(queued.key));
  return toResult(answer, false) as RunResult<unknown>; // no other provider serves a queued request
}

/** Collects why a request ended without an output: the collection says more than the status does. */
export async function collectFailure(
  queued: QueuedCall,
  wanted: Wanted & { ended: EndedState },
  session: Session,
): Promise<RunResult<unknown>> {
  try {
    return await collectResult(queued, wanted, session);
  } catch (error) {
    const { kind, isRetryable } = error as RouterError; // anything else has no kind
    if (kind === 'aborted' || (!isRetryable && (kind === 'router' || kind === 'validation'))) throw error;
    throw endedFailure(identify('result', queued), wanted.ended, error);
  }
}

/** The same where nothing else follows the result: without one the request is left. */
export async function collectOrLeave(
  queued: QueuedCall,
  wanted: Wanted,
  session: Session,
): Promise<RunResult<unknown>> {
  try {
    return await collectResult(queued, wanted, session);
  } catch (error) {
    await leave(queued, error, session);
    throw error;
  }
}

/** A request that ended without a result is forgotten; any other one stays in the store, to be resumed. */
export async function leave({ key }: QueuedCall, error: unknown, { store }: Session): Promise<void> {
  const facts = error as RouterError; // anything else has no kind
  const isAnswer = facts.kind === 'router' || facts.kind === 'validation';
  const hasEnded = isAnswer && !facts.isRetryable && facts.status !== 401 && facts.status !== 403;
  if (key !== undefined) await kept(hasEnded ? store.finish(key) : store.release(key));
}

/** A queued request, by its addresses. */
export function createHandle(queued: QueuedCall, session: Session, replayed: boolean): QueuedRequest<unknown> {
  const { connection } = session;
  const minutes = 5 * 60_000;
  const states = (options: PollOptions = {}) => readStates(queued, startDeadline(options, connection), connection);
  const { key, addresses } = queued;
  const methods = {
    status: (options: CallOptions = {}) => readStatus(queued, startDeadline(options, connection, minutes), connection),
    cancel: (options: CallOptions = {}) =>
      cancelQueued(queued, startDeadline(options, connection, minutes), connection),
    result: async (options: PollOptions & { as?: 'stream' } = {}) =>
      collectOrLeave(queued, { time: startDeadline(options, connection), as: options.as }, session),
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
export function buildAddresses(model: string, requestId: string, { connection }: Session): QueuedAddresses {
  const identity = { operation: 'status', model } as const;
  if (!isSegment(requestId)) throw localFailure(identity, 'a request id is a UUID');
  const base = `${modelUrl(connection.baseUrl, model, identity)}/requests/${encodeURIComponent(requestId)}`;
  return { requestId, statusUrl: `${base}/status`, responseUrl: base, cancelUrl: `${base}/cancel` };
}
