/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock } from '../http/clock.js';
import type { QueuedAddresses } from './response-facts.js';
/** A billed call as it has to be sent again: the same key with the same method, address and bytes. */
export type StoredCall = {
    readonly idempotencyKey: string;
    readonly operation: 'run' | 'submit';
    readonly model: string;
    /** With its query. */
    readonly url: string;
    /** The exact text of the body. A store drops it in time; an admitted request needs none. */
    readonly body?: string;
    /** The hash of a body that the store dropped: the next attempt needs the same body. */
    readonly bodyHash?: string;
    /** The owner: the credential's scope, its fingerprint, or a client; never the credential. */
    readonly owner: string;
    /** Milliseconds since the epoch. */
    readonly firstSentAt: number;
    /** True where the caller gave the key. Such a record stays after a result, so that the key starts no second run. */
    readonly isExplicit: boolean;
    /** Where equal calls may be taken up: the scope that the program gave. */
    readonly recoverScope?: string;
    /** Its caller gave it up. */
    readonly wasAborted?: boolean;
    /** Its caller has the result. */
    readonly isDone?: boolean;
    /** Set when the request was admitted to the queue. */
    readonly queued?: QueuedAddresses;
};
/** A stored call without a known outcome, or one that its caller has not settled. */
export type ListedCall = (StoredCall & {
    /** Another program may work on it. Resuming it is safe: it is sent with its own key. */
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
/** An entry of `pending()` of a client. */
export type PendingCall = (Exclude<ListedCall, DamagedCall> & {
    /** True where this client may resume it: it has the same owner, and the address is one of its trusted origins. */
    readonly isOwn: boolean;
    /** The store dropped the body: give `input` to `resume`, or make the same call with this key. */
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
     * Records a call before it is sent. Where there is a record of its key, `stored` is that, and it does not change where it is another
     * call. With a `recoverScope` and no key of the caller's, an equal call of that scope is continued if its outcome is unknown, its caller
     * did not abort it, and this program does not work on it.
     */
    begin(call: StoredCall): Promise<{
        readonly stored: StoredCall;
        readonly isNew: boolean;
    }>;
    /** Continues a call; undefined if it is gone, this program works on it, or another program was faster. */
    take(idempotencyKey: string): Promise<StoredCall | undefined>;
    /** The call was admitted to the queue. */
    admit(idempotencyKey: string, queued: QueuedAddresses): Promise<void>;
    /** The caller has the result and settles it later: until then the call is pending. */
    keepListed(idempotencyKey: string): Promise<void>;
    /** The caller has the result, or there will be none. A record of an explicit key stays, without its body. */
    finish(idempotencyKey: string): Promise<void>;
    /** The same for a queued request whose key the caller has not kept. */
    finishQueued(requestId: string): Promise<void>;
    /** The outcome is unknown, and this program no longer works on the call. */
    release(idempotencyKey: string, options?: {
        readonly wasAborted?: boolean;
    }): Promise<void>;
    /** Removes a record. A damaged one has a name in place of a key. */
    forget(idempotencyKey: string): Promise<void>;
    /** Calls without an outcome that this program does not work on, oldest first. */
    pending(): Promise<readonly ListedCall[]>;
};
/** Keyed responses are kept for 24 hours, and an older key starts a new run (MR-IDM-46, MR-IDM-49). */
export declare const keyLifetimeMs: number;
/** How long a call without an outcome is listed, although its key leads to nothing after the first day. */
export declare const listedMs: number;
/** True if both are one logical run, of which one may be without its body. */
export declare function isSameCall(one: StoredCall, other: StoredCall): boolean;
/** Equal calls of one scope are in one group; different ones almost never are. */
export declare function groupOf({ operation, url, owner, body, recoverScope }: StoredCall): string;
/** True if an equal call may continue this one. */
export declare const isRecoverable: (found: StoredCall, wanted: StoredCall) => boolean;
/** The call with a hash in place of its body. */
export declare function letBodyGo(call: StoredCall): StoredCall;
/** An admitted request is collected by its addresses; submitting it again takes the same body. */
export declare const admitCall: (call: StoredCall, queued: QueuedAddresses) => StoredCall;
/** 64 bits against accidents, not against attackers: SHA-256 is asynchronous, and some platforms have none. */
export declare function hashText(text: string): string;
export type MemoryKeyStoreOptions = {
    /** Maximum number of calls, 200,000 by default. A full store refuses new calls. */
    readonly maxCalls?: number;
    readonly clock?: Clock;
};
/** A store that survives a failed call, but not the end of the process. */
export declare function createMemoryKeyStore({ maxCalls, clock, }?: MemoryKeyStoreOptions): KeyStore;
export {};
