/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Clock } from '../http/clock.js';
import type { QueuedAddresses } from './response-facts.js';
/** A billed call with everything that another attempt needs: the same key, URL and bytes. */
export type StoredCall = {
    readonly idempotencyKey: string;
    readonly operation: 'run' | 'submit';
    readonly model: string;
    /** Includes the query. */
    readonly url: string;
    /** Exact text of the body. A store drops the body after some time, and when the request is admitted. */
    readonly body?: string;
    /** Hash of a body that the store dropped. */
    readonly bodyHash?: string;
    /** Scope or fingerprint of the credential, or a random name for one client; never the credential itself. */
    readonly owner: string;
    /** Milliseconds since the epoch. */
    readonly firstSentAt: number;
    /** True if the caller chose the key. Its record stays after a result, so that the key doesn't start a second run. */
    readonly isExplicit: boolean;
    /** True if the caller has the result. */
    readonly isDone?: boolean;
    /** Set once the request is in the queue. */
    readonly queued?: QueuedAddresses;
};
/** A stored call whose outcome is unknown, or for whose result `settle()` was not called yet. */
export type ListedCall = (StoredCall & {
    /** True if another program may work on the call. Resuming it is safe, because it is sent with its own key. */
    readonly isHeld: boolean;
    readonly damaged?: undefined;
}) | DamagedCall;
export type DamagedCall = {
    /** Name of an unreadable record. `forget` removes it. */
    readonly idempotencyKey: string;
    /** Reason why the record is unreadable. */
    readonly damaged: string;
    readonly operation?: undefined;
    readonly model?: undefined;
    readonly isHeld?: undefined;
};
/** Keeps billed calls by their keys. Every method resolves when its change is as durable as the store promises. */
export type KeyStore = {
    /**
     * Records a call before it is sent, or returns the record of its key. Doesn't change the record of a different call.
     */
    begin(call: StoredCall): Promise<{
        readonly stored: StoredCall;
        readonly isNew: boolean;
    }>;
    /** Starts work on a stored call. Returns undefined if the call is gone, or if this or another program works on it. */
    take(idempotencyKey: string): Promise<StoredCall | undefined>;
    /** Records that the call was admitted to the queue. */
    admit(idempotencyKey: string, queued: QueuedAddresses): Promise<void>;
    /** Ends a call with a known outcome. A record with an explicit key stays, without its body. */
    finish(idempotencyKey: string): Promise<void>;
    /** Ends a caller's work on a call whose outcome is unknown, or whose result is not settled yet. */
    release(idempotencyKey: string): Promise<void>;
    /**
     * Ends a caller's work that started no run. Removes the record after the last caller, unless another call with the key
     * was released or finished, or another program works on it.
     */
    discard(idempotencyKey: string): Promise<void>;
    /** Removes a record by its key, or a damaged record by its name. */
    forget(idempotencyKey: string): Promise<void>;
    /** Lists calls without an outcome that this program doesn't work on, oldest first. */
    pending(): Promise<readonly ListedCall[]>;
};
export declare const keyLifetimeMs = 86400000;
/** Calls without an outcome are listed for two days. */
export declare const listedMs: number;
/** True if both records describe the same run; one of them may only have the hash of the body. */
export declare function isSameCall(one: StoredCall, other: StoredCall): boolean;
export declare function dropBody(call: StoredCall): StoredCall;
/** Returns the record to keep once the outcome is known: without its body if the key is explicit, else none. */
export declare const toFinishedCall: (call: StoredCall) => StoredCall | undefined;
export declare const toAdmittedCall: (call: StoredCall, queued: QueuedAddresses) => StoredCall;
/** Returns a 64-bit hash that is not secure: SHA-256 is asynchronous, and some platforms lack it. */
export declare function hashText(text: string): string;
export type MemoryKeyStoreOptions = {
    /** Maximum number of calls. A full store rejects new ones. Default: 200,000. */
    readonly maxCalls?: number;
    readonly clock?: Clock;
};
/** Creates an in-memory store, which is lost with the process. */
export declare function createMemoryKeyStore({ maxCalls, clock, }?: MemoryKeyStoreOptions): KeyStore;
