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
 * Keeps billed calls in a folder, so that they survive the end of the process. Each call is a file that only its owner
 * can read, because it contains the input. Processes may share a folder.
 */
export declare function createFileKeyStore(folder: string): KeyStore;
export declare function createFileRecords(folder: string): KeyRecords;
