/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type BilledRequest } from './billed-call.js';
import { type Answer, type Deadline } from './call.js';
import type { Session } from './connection.js';
import { type QueuedCall } from './queue.js';
import { type RunResult } from './results.js';
import type { QueuedAddresses } from './router-error.js';
import type { QueuedRequest } from './router-types.js';
/** Keeps where an admitted request is; throws where the answer does not say so. */
export declare function admitted(request: BilledRequest, answer: Answer, { store }: Session): Promise<QueuedCall>;
/** Collects the output, which ends the call in the key store. */
export declare function collectResult(queued: QueuedCall, { time, as }: {
    time: Deadline;
    as?: 'stream' | undefined;
}, session: Session): Promise<RunResult<unknown>>;
/** The same where nothing else follows the result: without one the request is left. */
export declare function collectOrLeave(queued: QueuedCall, wanted: Parameters<typeof collectResult>[1], session: Session): Promise<RunResult<unknown>>;
/** A request that ended without a result is forgotten; any other one stays in the store, to be resumed. */
export declare function leave({ key }: QueuedCall, error: unknown, { store }: Session): Promise<void>;
/** A queued request, by its addresses. */
export declare function createHandle(queued: QueuedCall, session: Session, replayed: boolean): QueuedRequest<unknown>;
/** The addresses that the API documents give to a request id, for callers who kept nothing else. */
export declare function buildAddresses(model: string, requestId: string, { connection }: Session): QueuedAddresses;
