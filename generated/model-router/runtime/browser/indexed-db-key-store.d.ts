/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type KeyRecords } from '../key-store/index.js';
import type { KeyStore } from '../router/key-store.js';
/**
 * Keeps the billed calls of a page in the IndexedDB database `name`, so that they survive a reload, a crash and a restart
 * of the browser. Tabs and workers of an origin share it. Any script of the origin can read its inputs. If the
 * platform has no IndexedDB, calls fail before they are sent.
 */
export declare function createIndexedDbKeyStore(name?: string): KeyStore;
export declare function createIndexedDbRecords(name: string): KeyRecords;
