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
export type KeyStoreOptions = {
    /**
     * Removes records and inputs that are too old at the first call, in the background, and not only after an hour or with
     * `pending()`. For programs that seldom run for an hour. Default: false, since it reads all records.
     */
    readonly purgesAtStart?: boolean;
    readonly clock?: Clock;
};
/**
 * Keeps billed calls wherever records can be kept, so that they survive the end of the process and several programs may share them.
 * A program gives a sign of life every two seconds for each call that it works on. Whether another one lives cannot always be known:
 * what it may work on is asked for with its own key, which starts no second run.
 */
export declare function createKeyStore(records: KeyRecords, { clock, purgesAtStart }?: KeyStoreOptions): KeyStore;
