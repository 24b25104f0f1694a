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
/** Keeps billed calls in files that only their owner can read: they contain inputs. Processes may share a folder. */
export declare function createFileKeyStore(folder: string): KeyStore;
/**
 * The files of a call begin with the hash of its key, because keys may contain characters that file names can't have:
 * - `HASH.json`: the record
 * - `HASH.claim-PROGRAM`: its name contains the program that works on the call, or none, and its modification time is the
 *   last heartbeat. To take over a call, a program renames its claim; only one program can.
 * - `HASH.draft-UUID`: a record that is being written
 */
export declare function createFileRecords(folder: string): KeyRecords;
