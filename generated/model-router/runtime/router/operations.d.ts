/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type KeyOptions } from './billed-call.js';
import type { TimeLimit } from './call.js';
import type { Connection } from './connection.js';
import type { KeyStore, StoredCall } from './key-store.js';
import { type QueuedCall } from './queue.js';
import { type ConvertedResult, type RunResult } from './results.js';
import type { QueuedAddresses } from './router-error.js';
import type { AnyModel, CallOptions, QueuedRequest, RunOptions, SubscribeOptions, UntypedQuery } from './router-types.js';
/** A client at work: what its calls share, and where it keeps its keys. */
export type Session = {
    readonly connection: Connection;
    readonly store: KeyStore;
};
export declare function limitOf({ signal, deadlineMs }: CallOptions, { connection }: Session, usualMs?: number): TimeLimit;
export declare function run(target: string | AnyModel, input: unknown, options: RunOptions & UntypedQuery, session: Session): Promise<ConvertedResult<unknown>>;
export declare function submit(target: string | AnyModel, input: unknown, options: CallOptions & KeyOptions, session: Session): Promise<QueuedRequest<unknown>>;
export declare function subscribe(target: string | AnyModel, input: unknown, options: SubscribeOptions, session: Session): Promise<RunResult<unknown>>;
/** Goes on with a call that the key store holds. */
export declare function resume(call: StoredCall, options: CallOptions, session: Session): Promise<RunResult<unknown>>;
/** A queued request, by its addresses. */
export declare function handleOf(queued: QueuedCall, session: Session, replayed: boolean): QueuedRequest<unknown>;
/** The addresses that the API documents give to a request id, for callers who kept nothing else. */
export declare function addressesOf(model: string, requestId: string, { connection }: Session): QueuedAddresses;
export declare const idOf: (target: string | AnyModel) => string;
