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
/** Keeps billed calls in the IndexedDB database `name`. All scripts of the origin share it and can read its inputs. */
export declare function createIndexedDbKeyStore(name?: string): KeyStore;
export declare function createIndexedDbRecords(name: string): KeyRecords;
