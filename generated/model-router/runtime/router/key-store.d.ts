/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock } from '../http/clock.js';
import type { QueuedAddresses } from './router-error.js';
/** A billed call as it has to be sent again: the same key with the same method, address and bytes. */
export type StoredCall = {
    readonly idempotencyKey: string;
    readonly operation: 'run' | 'submit';
    readonly model: string;
    /** With its query. */
    readonly url: string;
    /** The exact text of the body. A store lets it go in time; an admitted request needs none. */
    readonly body?: string;
    /** Of a body that the store let go: whoever sends the call again has to bring the same. */
    readonly bodyHash?: string;
    /** Whose call it is: the credential's scope, its fingerprint, or a client; never the credential. */
    readonly owner: string;
    /** Milliseconds since the epoch. */
    readonly firstSentAt: number;
    /** Whether the caller named the key. Such a record stays after a result, so that the key starts no second run. */
    readonly isExplicit: boolean;
    /** Where equal calls may be taken up: the scope that the program gave. */
    readonly recoverScope?: string;
    /** Its caller gave it up. */
    readonly wasAborted?: boolean;
    /** Its caller has the result. */
    readonly isDone?: boolean;
    /** Of a request that was admitted to the queue. */
    readonly queued?: QueuedAddresses;
};
/** A call of a store whose outcome nobody knows yet, or one that its caller has not settled. */
export type ListedCall = (StoredCall & {
    /** Another program may work on it. To resume it is safe all the same: the service is asked with its own key. */
    readonly isHeld: boolean;
    readonly damaged?: undefined;
}) | DamagedCall;
type DamagedCall = {
    /** The name of a record that cannot be read. `forget` removes it. */
    readonly idempotencyKey: string;
    /** Why it cannot be read. */
    readonly damaged: string;
    readonly operation?: undefined;
    readonly model?: undefined;
    readonly isHeld?: undefined;
};
/** What `pending` of a client lists. */
export type PendingCall = (Exclude<ListedCall, DamagedCall> & {
    /** Whether this client may resume it: it has the same owner, and sends its credential to where the call was sent. */
    readonly isOwn: boolean;
    /** The store let the body go: give `input` to `resume`, or make the same call with this key. */
    readonly needsInput: boolean;
}) | (DamagedCall & {
    readonly isOwn: false;
    readonly needsInput?: undefined;
});
/**
 * Remembers billed calls by their keys. Every method resolves only when the change would survive what the store promises to survive.
 */
export type KeyStore = {
    /**
     * Records a call before it is sent. Where its key is known already, `stored` is what is known of it, and nothing changes where that is
     * another call. With a `recoverScope` and no key of the caller's, an equal call of that scope is gone on with whose outcome is
     * unknown, which nobody gave up and which no program works on that is known to live.
     */
    begin(call: StoredCall): Promise<{
        readonly stored: StoredCall;
        readonly isNew: boolean;
    }>;
    /** Goes on with a call; undefined where it is gone or a program that is known to live works on it. */
    take(idempotencyKey: string): Promise<StoredCall | undefined>;
    /** The call was admitted to the queue. */
    admit(idempotencyKey: string, queued: QueuedAddresses): Promise<void>;
    /** The caller has the result and says later that it is done with it: until then the call is pending. */
    keepListed(idempotencyKey: string): Promise<void>;
    /** The caller has the result, or knows that there will be none. A record of an explicit key stays, without its body. */
    finish(idempotencyKey: string): Promise<void>;
    /** The same for a queued request whose key the caller has not kept. */
    finishQueued(requestId: string): Promise<void>;
    /** The outcome is unknown, and this program no longer works on the call. */
    release(idempotencyKey: string, options?: {
        readonly wasAborted?: boolean;
    }): Promise<void>;
    /** Removes a record for good. A damaged one has a name in place of a key. */
    forget(idempotencyKey: string): Promise<void>;
    /** Calls without an outcome, oldest first, but those that a program works on that is known to live. */
    pending(): Promise<readonly ListedCall[]>;
};
/** Keyed responses are kept for 24 hours, and an older key starts a new run (MR-IDM-46, MR-IDM-49). */
export declare const keyLifetimeMs: number;
/** For so long a call without an outcome is listed, although its key leads to nothing after the first day. */
export declare const listedMs: number;
/** Whether both are one logical run, of which one may be without its body. */
export declare function isSameCall(one: StoredCall, other: StoredCall): boolean;
/** Equal calls of one scope are in one group; other ones hardly ever are. */
export declare function groupOf({ operation, url, owner, body, recoverScope }: StoredCall): string;
/** Whether an equal call may go on with this one. */
export declare const isRecoverable: (found: StoredCall, wanted: StoredCall) => boolean;
/** The call without its body, which its hash stands for. */
export declare function letBodyGo(call: StoredCall): StoredCall;
/** Its addresses are all that collects an admitted request; to submit it again takes the same body. */
export declare const admitCall: (call: StoredCall, queued: QueuedAddresses) => StoredCall;
/** 64 bits against accidents, not against enemies; every platform has SHA-256 only later, and some have none. */
export declare function hashText(text: string): string;
export type MemoryKeyStoreOptions = {
    /** How many calls it remembers at a time, 200,000 by default. Where it is full, new calls are refused. */
    readonly maxCalls?: number;
    readonly clock?: Clock;
};
/** Survives a failed call, not the end of the process. */
export declare function createMemoryKeyStore({ maxCalls, clock, }?: MemoryKeyStoreOptions): KeyStore;
export {};
