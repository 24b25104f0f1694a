/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Answer } from './ask.js';
import type { Work } from './connection.js';
import { type CallIdentity } from './failures.js';
import { type StoredCall } from './key-store.js';
export type BilledRequest = CallIdentity & {
    readonly operation: 'run' | 'submit';
    readonly model: string;
    readonly url: string;
    readonly body: string;
};
/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
export declare function sendBilled(request: BilledRequest, work: Work): Promise<Answer>;
/** Sends a call that is in the store, for the first time or again. */
export declare function sendStored(stored: StoredCall, request: BilledRequest, work: Work): Promise<Answer>;
