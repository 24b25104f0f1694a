/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Question } from './ask.js';
import type { Work } from './connection.js';
import { type CallIdentity } from './failures.js';
import { type StoredCall } from './key-store.js';
import type { AnyModel } from './router-types.js';
export type BilledRequest<Result> = CallIdentity & Omit<AnyModel, 'id'> & {
    readonly operation: 'run' | 'submit';
    readonly model: string;
    readonly url: string;
    readonly body: string;
    readonly parse?: Question<Result>['parse'];
};
/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
export declare function sendBilled<Result>(request: BilledRequest<Result>, work: Work): Promise<Result>;
/** Sends a call that is in the store, for the first time or again. */
export declare function sendStored<Result>(stored: StoredCall, request: BilledRequest<Result>, work: Work): Promise<Result>;
