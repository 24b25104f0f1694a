/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Clock } from '../http/clock.js';
import type { KeyStore, StoredCall } from './key-store.js';
import type { QueuedAddresses } from './router-error.js';
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
/** The billed calls of one client, in its store. */
export type Keys = {
    /**
     * Records a call before it is sent. Where `adopt` is true and no program that is known to live works on an equal call with an
     * unknown outcome, that one is gone on with, and `isNew` is false.
     */
    begin(call: StoredCall, options: {
        readonly adopt: boolean;
    }): Promise<{
        stored: StoredCall;
        isNew: boolean;
    }>;
    /** Goes on with a call; undefined where it is gone or a program that is known to live works on it. */
    take(key: string): Promise<StoredCall | undefined>;
    /** The call was admitted to the queue. */
    admit(key: string, queued: QueuedAddresses): Promise<void>;
    /** The caller has the result, and says later that it is done with it. */
    keepListed(key: string): void;
    /** The outcome is known; the call is forgotten. */
    finish(key: string): Promise<void>;
    /** The same for a queued request whose key the caller has not kept. */
    finishQueued(requestId: string): Promise<void>;
    /** The outcome is unknown, and this program no longer works on the call. */
    release(key: string): Promise<void>;
    /** Oldest first. */
    pending(): Promise<readonly PendingCall[]>;
    /** Removes a record, whatever became of its call. */
    forget(key: string): Promise<void>;
};
/** Keyed responses are kept for 24 hours, and an older key starts a new run (MR-IDM-46, MR-IDM-49). */
export declare const keyLifetimeMs: number;
export declare function createKeys(store: KeyStore, clock: Clock): Keys;
