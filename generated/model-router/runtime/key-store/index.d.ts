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
/** The record of one call. */
export type KeyRecord = {
    /** The idempotency key. For a record that cannot be read, a name by which `remove` finds it. */
    readonly key: string;
    /** A short hash of the id of an admitted request, by which its record is found; the same text for all other calls. */
    readonly group: string;
    /** The call, as text. Missing in a list if the record cannot be read. */
    readonly text?: string | null | undefined;
    /** The program that works on the call and the time of its last heartbeat; empty if no program does. */
    readonly holder?: string | null | undefined;
    /** Why the record cannot be read. */
    readonly reason?: string;
};
/** Selects the record of a key, those of a group, or all records. */
export type KeyRecordQuery = {
    readonly key?: string | undefined;
    readonly group?: string | undefined;
};
/** A place for records, such as a table or a key-value store. Every method resolves when its change would survive a crash. */
export type KeyRecords = {
    /** Returns the selected records, including those that cannot be read. */
    list(of: KeyRecordQuery): Promise<readonly KeyRecord[]>;
    /** Adds a record. Returns false and changes nothing if the key has one. */
    add(record: KeyRecord & {
        readonly holder: string;
    }): Promise<boolean>;
    /** Changes group and text of a record; does nothing without one. */
    update(key: string, change: {
        readonly group: string;
        readonly text: string;
    }): Promise<void>;
    /** Replaces the holder if it still is `was`, atomically. Returns false otherwise. */
    hold(key: string, holder: string | undefined, was: string | undefined): Promise<boolean>;
    remove(key: string): Promise<void>;
};
export type KeyStoreOptions = {
    /**
     * Removes records and inputs that are too old at the first call, in the background, and not only after an hour or with
     * `listPending`. For programs that seldom run for an hour. Default: false, since it reads all records.
     */
    readonly purgesAtStart?: boolean;
    readonly clock?: Clock;
};
/**
 * Creates a key store that saves to `records`, such as a table. Calls survive a restart, and programs can share them.
 * A program writes a heartbeat every two seconds for each call that it works on. If another program may still work on a call, the
 * request is sent with the call's own key, which doesn't start a second run.
 */
export declare function createKeyStore(records: KeyRecords, { clock, purgesAtStart }?: KeyStoreOptions): KeyStore;
