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
    /** The exact text of the body. */
    readonly body: string;
    /** Who sent it first: the credential's scope, or its fingerprint; never the credential. */
    readonly owner: string;
    /** Milliseconds since the epoch. */
    readonly firstSentAt: number;
    /** Of a request that was admitted to the queue. */
    readonly queued?: QueuedAddresses;
};
/**
 * Remembers billed calls until their outcome is known, so that none is sent again under a new key.
 * Every method resolves only when the change would survive what the store promises to survive.
 */
export type KeyStore = {
    /**
     * Records a call before it is sent. Where `adopt` is true and an identical call (operation, address, body, owner)
     * has an unknown outcome and nobody works on it, that one is taken over and returned instead.
     */
    begin(call: StoredCall, options: {
        readonly adopt: boolean;
    }): Promise<StoredCall>;
    /** Takes over a call that an earlier process left; undefined when it is gone or somebody works on it. */
    take(key: string): Promise<StoredCall | undefined>;
    /** The call was admitted to the queue. */
    admit(key: string, queued: QueuedAddresses): Promise<void>;
    /** The outcome is known; the call is forgotten. */
    finish(key: string): Promise<void>;
    /** The outcome is unknown, and nobody works on the call any more. */
    release(key: string): Promise<void>;
    /** Calls that nobody works on, oldest first. */
    pending(): Promise<readonly StoredCall[]>;
};
/** Whether both calls would be one logical run. */
export declare function isSameCall(one: StoredCall, other: StoredCall): boolean;
/** Survives a failed call, not the end of the process. */
export declare function createMemoryKeyStore(): KeyStore;
