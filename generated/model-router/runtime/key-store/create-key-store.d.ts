/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock } from '../http/clock.js';
import { type KeyStore } from '../router/key-store.js';
import type { KeyRecords } from './key-records.js';
/** A program without a heartbeat for this long counts as gone. */
export declare const staleMs = 10000;
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
