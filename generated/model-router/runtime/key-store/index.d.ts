/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Clock } from '../http/clock.js';
import { type KeyStore } from '../router/key-store.js';
export type KeyRecord = {
    /** Idempotency key. For an unreadable record, a name that `remove` accepts. */
    readonly key: string;
    /** The call, as text. Missing in a list if the record is unreadable. */
    readonly text?: string | null | undefined;
    /** The program that works on the call, and the time of its last heartbeat. */
    readonly holder?: string | null | undefined;
    readonly reason?: string;
};
/** Storage for records, such as a table. Every method resolves when its change would survive a crash. */
export type KeyRecords = {
    /** Returns the record of a key, or all records, including unreadable ones. */
    list(key?: string): Promise<readonly KeyRecord[]>;
    /** Adds a record. Returns false and changes nothing if the key already has one. */
    add(record: {
        readonly key: string;
        readonly text: string;
        readonly holder: string;
    }): Promise<boolean>;
    /** Changes the text of a record; does nothing if the key has no record. */
    update(key: string, text: string): Promise<void>;
    /** Atomically replaces the holder if it is still `was`. Returns false otherwise. */
    hold(key: string, holder: string | undefined, was: string | undefined): Promise<boolean>;
    remove(key: string): Promise<void>;
};
export type KeyStoreOptions = {
    /**
     * Removes expired records at the first call, not only after an hour. Default: false, because that reads all records.
     */
    readonly purgesAtStart?: boolean;
    readonly clock?: Clock;
};
/** Creates a key store that saves to `records`, such as a table. Programs can share it and resume calls after a crash. */
export declare function createKeyStore(records: KeyRecords, { clock, purgesAtStart }?: KeyStoreOptions): KeyStore;
