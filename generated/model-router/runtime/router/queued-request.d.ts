/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Answer, Deadline } from './attempt.js';
import type { BilledRequest } from './billed-call.js';
import type { Session } from './connection.js';
import { type EndedState, type QueuedCall, type QueueState } from './queue.js';
import { type RunResult } from './results.js';
import type { QueuedRequest } from './router-types.js';
/** Keeps where an admitted request is; throws where the answer does not say so. */
export declare function admitted(request: BilledRequest, answer: Answer, { connection, keys }: Session): Promise<{
    queued: QueuedCall;
    state: QueueState;
}>;
type Wanted = {
    time: Deadline;
    as?: 'stream' | undefined;
    settle?: 'manual' | undefined;
    ended?: EndedState | undefined;
};
/** Collects the output, which ends the call in the key store. */
export declare function collectResult(queued: QueuedCall, { time, as, settle, ended }: Wanted, { connection, keys }: Session): Promise<RunResult<unknown>>;
/** Collects why a request ended without an output: the collection says more than the status does. */
export declare function collectFailure(queued: QueuedCall, wanted: Wanted & {
    ended: EndedState;
}, session: Session): Promise<RunResult<unknown>>;
/** The same where nothing else follows the result: without one the request is left. */
export declare function collectOrLeave(queued: QueuedCall, wanted: Wanted, session: Session): Promise<RunResult<unknown>>;
/** A request that ended without a result is forgotten; any other one stays in the store, to be resumed. */
export declare function leave(queued: QueuedCall, error: unknown, { keys }: Session): Promise<void>;
/** A queued request, by its addresses. */
export declare function createHandle(queued: QueuedCall, session: Session, replayed: boolean): QueuedRequest<unknown>;
export {};
