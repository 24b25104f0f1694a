import { forever, readElapsed } from '../http/clock.ts';
import { type Method, reads, startWork, watchCalls } from '../http/connection.ts';
import { notify } from '../http/observers.ts';
import { present } from '../http/present.ts';
import { settled } from '../http/settled.ts';
import type { Answer } from './ask.ts';
import type { Connection, Work } from './connection.ts';
import { failEnded } from './failures.ts';
import type { OutputOptions, PollOptions } from './options.ts';
import { cancelQueued, collect, type QueuedCall, readState, readStates, readStatus } from './queue.ts';
import type { EndedState, QueueState } from './queue-state.ts';
import { kept, leaveLate, type RunResult, toResult } from './results.ts';
import { isRouterError, type RouterError } from './router-error.ts';
import type { QueuedRequest } from './router-types.ts';

export type Admitted = { readonly call: QueuedCall; readonly state: QueueState; readonly replayed: boolean };

/** What the answer to a submission says of the request. */
export function readAdmitted(answer: Answer, work: Work): Admitted | string {
  const state = readState(answer, work);
  const { model = '', key, chargesOnPolicyRejection } = answer.call;
  if (typeof state === 'string') return state;
  const call = { model, key, chargesOnPolicyRejection, queued: state.addresses };
  return { call, state, replayed: answer.facts.replayed };
}

/** Keeps where an admitted request is. */
export async function admit(admitted: Admitted, work: Work): Promise<Admitted> {
  const { key, queued } = admitted.call;
  if (key !== undefined) await kept(() => work.keys.admit(key, queued), work);
  return admitted;
}

/** Collects the output, which ends the call in the key store, or says why there is none: an answer does so better than a status. */
export async function collectResult(
  call: QueuedCall,
  ended: EndedState | undefined,
  work: Work,
): Promise<RunResult<unknown>> {
  try {
    // No other provider serves a queued request.
    return (await toResult(await collect(call, ended, work), work)) as RunResult<unknown>;
  } catch (error) {
    const { kind, isRetryable } = error as RouterError; // anything else has no kind
    const isFinal = kind === 'aborted' || (!isRetryable && (kind === 'router' || kind === 'validation'));
    throw ended === undefined || isFinal ? error : failEnded({ ...call, operation: 'result' }, ended, error);
  }
}

/**
 * The output of a request; from the `first` state on, `onStatus` sees its states before. Without a result, a request that ended is forgotten;
 * any other one stays in the store, to be resumed.
 */
export async function collectOrLeave(call: QueuedCall, work: Work, first?: QueueState): Promise<RunResult<unknown>> {
  try {
    let last = first;
    if (first !== undefined) {
      void notify(work.onStatus, first);
      for await (const state of readStates(call, work)) {
        last = state;
        void notify(work.onStatus, state);
      }
    }
    const { addresses: queued = call.queued } = last ?? {};
    return await collectResult({ ...call, queued }, last?.kind === 'ended' ? last : undefined, work);
  } catch (caught) {
    const error = caught as RouterError; // anything else has no kind
    const { kind } = error;
    const isOver = kind === 'aborted' || (kind === 'timeout' && error.deadlineMs === work.deadlineMs);
    if (work.cancelOnAbort === true && isOver) {
      const late = { ...work, ...forever, endsAt: readElapsed(work.clock) + 10_000 };
      await cancelQueued(call, late).catch(() => undefined); // the first error is the one to report
    }
    const isAnswer = kind === 'router' || kind === 'validation';
    const hasEnded = isAnswer && !error.isRetryable && error.status !== 401 && error.status !== 403;
    await leaveLate(call, hasEnded, work);
    throw error;
  }
}

/** A queued request, by its addresses. */
export function createHandle(
  connection: Connection,
  { call, replayed }: Omit<Admitted, 'state'>,
): QueuedRequest<unknown> {
  const { key, queued, model } = call;
  const states = (options?: PollOptions) =>
    readStates(call, startWork(connection, { operation: 'status', model }, options, { takes: 'pollEvery' }));
  const watch = watchCalls(connection);
  const once =
    <Result extends object>(
      operation: string,
      run: (call: QueuedCall, work: Work) => Promise<Result>,
      method: Method,
    ) =>
    (options?: PollOptions & OutputOptions) =>
      watch({ operation, model }, options, (work) => run(call, work), method);
  const methods = {
    status: once('status', readStatus, reads),
    cancel: once('cancel', cancelQueued, reads),
    result: once('result', collectOrLeave, { takes: 'pollEvery as settle' }),
  };
  return {
    requestId: queued.requestId,
    addresses: queued,
    ...present({ key }),
    replayed,
    ...methods,
    states,
    [Symbol.asyncIterator]: states,
    safe: settled(methods, isRouterError),
    // What the output is depends on the options, which the types of `QueuedRequest` say.
  } as unknown as QueuedRequest<unknown>;
}
