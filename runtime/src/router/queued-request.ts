import { settled } from '../http/settled.ts';
import type { Answer, Deadline } from './attempt.ts';
import type { BilledRequest } from './billed-call.ts';
import { startDeadline } from './call.ts';
import type { CallOptions, PollOptions } from './call-options.ts';
import type { Session } from './connection.ts';
import { endedFailure, protocolFailure } from './failures.ts';
import type { KeyStore } from './key-store.ts';
import {
  cancelQueued,
  collect,
  type EndedState,
  identify,
  type QueuedCall,
  type QueueState,
  readState,
  readStates,
  readStatus,
} from './queue.ts';
import { type RunResult, toResult } from './results.ts';
import { isRouterError, type RouterError } from './router-error.ts';
import type { OutputOptions, QueuedRequest } from './router-types.ts';
import { kept, settleResult } from './settling.ts';
import { checkOptions, watchCall } from './watch-call.ts';

/** Keeps where an admitted request is; throws where the answer does not say so. */
export async function admitted(
  request: BilledRequest,
  answer: Answer,
  { connection, keys }: Session,
): Promise<{ queued: QueuedCall; state: QueueState }> {
  const state = readState(request, answer, connection);
  const { model, key, chargesOnPolicyRejection } = request;
  if (state === undefined) {
    if (key !== undefined) await kept(keys.release(key));
    throw protocolFailure(request, answer, 'the body is no handle of a queued request');
  }
  if (key !== undefined) await kept(keys.admit(key, state.addresses));
  return { queued: { model, key, chargesOnPolicyRejection, addresses: state.addresses }, state };
}

type Wanted = {
  time: Deadline;
  as?: 'stream' | undefined;
  settle?: 'manual' | undefined;
  ended?: EndedState | undefined;
};

/** Collects the output, which ends the call in the key store. */
export async function collectResult(
  queued: QueuedCall,
  { time, as, settle, ended }: Wanted,
  { connection, keys }: Session,
): Promise<RunResult<unknown>> {
  const answer = await collect(queued, { time, stream: as === 'stream', ended }, connection);
  const settling = { isManual: settle === 'manual', key: queued.key, finish: () => forget(queued, keys) };
  const result = await settleResult(answer, settling, { call: identify('result', queued), keys });
  return toResult(result, false) as RunResult<unknown>; // no other provider serves a queued request
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
export async function leave(queued: QueuedCall, error: unknown, { keys }: Session): Promise<void> {
  const facts = error as RouterError; // anything else has no kind
  const isAnswer = facts.kind === 'router' || facts.kind === 'validation';
  const hasEnded = isAnswer && !facts.isRetryable && facts.status !== 401 && facts.status !== 403;
  if (hasEnded) await kept(forget(queued, keys));
  else if (queued.key !== undefined) await kept(keys.release(queued.key));
}

/** Who collects by the request id alone may have submitted with the same store. */
function forget({ key, addresses }: QueuedCall, keys: KeyStore): Promise<void> {
  return key === undefined ? keys.finishQueued(addresses.requestId) : keys.finish(key);
}

/** A queued request, by its addresses. */
export function createHandle(queued: QueuedCall, session: Session, replayed: boolean): QueuedRequest<unknown> {
  const minutes = 5 * 60_000;
  const { key, addresses, model } = queued;
  const states = (options: PollOptions = {}) => {
    checkOptions({ operation: 'status', model, options, takes: 'pollEvery' });
    return readStates(queued, startDeadline(options, session.connection), session.connection);
  };
  const methods = {
    status: async (options: CallOptions = {}) =>
      watchCall(session, { operation: 'status', model, options }, ({ connection }) =>
        readStatus(queued, startDeadline(options, connection, minutes), connection),
      ),
    cancel: async (options: CallOptions = {}) =>
      watchCall(session, { operation: 'cancel', model, options }, ({ connection }) =>
        cancelQueued(queued, startDeadline(options, connection, minutes), connection),
      ),
    result: async (options: PollOptions & OutputOptions = {}) =>
      watchCall(session, { operation: 'result', model, options, takes: 'pollEvery as settle' }, (inner) => {
        const { as, settle } = options;
        return collectOrLeave(queued, { as, settle, time: startDeadline(options, inner.connection) }, inner);
      }),
  };
  return {
    requestId: addresses.requestId,
    addresses,
    ...(key === undefined ? {} : { key }),
    replayed,
    ...methods,
    states,
    [Symbol.asyncIterator]: () => states()[Symbol.asyncIterator](),
    safe: settled(methods, isRouterError),
    // What the output is depends on the options, which the types of `QueuedRequest` say.
  } as unknown as QueuedRequest<unknown>;
}
