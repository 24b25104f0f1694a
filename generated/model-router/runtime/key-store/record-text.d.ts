/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { StoredCall } from '../router/key-store.js';
/** The text of a record, which tells whether it is whole. */
export declare function printCall(call: StoredCall): string;
/** Undefined for a text that is none, or not as it was written. */
export declare function readCall(record: string | null | undefined): StoredCall | undefined;
/** Equal calls are in one group, and so is an admitted request with its id alone: it is no longer equal to any call. */
export declare function findGroup({ operation, url, body, owner, queued }: StoredCall): string;
export declare function findQueuedGroup(requestId: string): string;
