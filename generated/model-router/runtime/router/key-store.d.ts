/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { QueuedAddresses } from './router-error.js';
/** A billed call as it has to be sent again: the same key with the same method, address and bytes. */
export type StoredCall = {
    readonly key: string;
    readonly operation: 'run' | 'submit';
    readonly model: string;
    /** With its query. */
    readonly url: string;
    /** The exact text of the body; empty once the queue admitted the request, which is collected by its addresses. */
    readonly body: string;
    /** Who sent it first: the credential's scope, or its fingerprint; never the credential. */
    readonly owner: string;
    /** Milliseconds since the epoch. */
    readonly firstSentAt: number;
    /** Of a request that was admitted to the queue. */
    readonly queued?: QueuedAddresses;
};
/** A billed call whose outcome nobody knows yet, or one that its caller has not settled. */
export type PendingCall = (StoredCall & {
    /** Another program may work on it. To resume it is safe all the same: the service is asked with its own key. */
    readonly isHeld: boolean;
    readonly damaged?: undefined;
}) | {
    /** The name of a record that cannot be read. Calls that may be this one are refused until `forget` removes it. */
    readonly key: string;
    /** Why it cannot be read. */
    readonly damaged: string;
    readonly operation?: undefined;
    readonly model?: undefined;
    readonly isHeld?: undefined;
};
/**
 * Remembers billed calls until their outcome is known, so that none is sent again under a new key.
 * Every method resolves only when the change would survive what the store promises to survive.
 */
export type KeyStore = {
    /**
     * Records a call before it is sent. Where `adopt` is true and no program that is known to live works on an equal call with an
     * unknown outcome, that one is gone on with, and `isNew` is false; so it is where the key is in the store already, as with `take`.
     */
    begin(call: StoredCall, options: {
        readonly adopt: boolean;
    }): Promise<{
        readonly stored: StoredCall;
        readonly isNew: boolean;
    }>;
    /** Goes on with a call; undefined where it is gone or a program that is known to live works on it. */
    take(key: string): Promise<StoredCall | undefined>;
    /** The call was admitted to the queue. */
    admit(key: string, queued: QueuedAddresses): Promise<void>;
    /** The caller has the result and says later that it is done with it: until then the call is pending. */
    keepListed(key: string): Promise<void>;
    /** The outcome is known, or nobody wants it; the call is forgotten. A damaged record has a name in place of a key. */
    finish(key: string): Promise<void>;
    /** The same for a queued request whose key the caller has not kept. */
    finishQueued(requestId: string): Promise<void>;
    /** The outcome is unknown, and this program no longer works on the call. */
    release(key: string): Promise<void>;
    /** All but those that a program works on that is known to live, oldest first. */
    pending(): Promise<readonly PendingCall[]>;
};
/** Keyed responses are kept for 24 hours, and an older key starts a new run (MR-IDM-46, MR-IDM-49). */
export declare const keyLifetimeMs: number;
/** Whether both calls would be one logical run. */
export declare function isSameCall(one: StoredCall, other: StoredCall): boolean;
/** Its addresses are all that collects an admitted request. */
export declare function admitCall(call: StoredCall, queued: QueuedAddresses): StoredCall;
/** Survives a failed call, not the end of the process. */
export declare function createMemoryKeyStore(): KeyStore;
