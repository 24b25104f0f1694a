/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type PollOptions } from '../queue/requests.js';
import { type RouterOf } from '../router/connection.js';
import { type DamagedCall, type ListedCall, type StoredCall } from '../router/key-store.js';
import type { SettleOptions } from '../router/options.js';
import { type ConvertedResult } from '../router/results.js';
import { type ModelOrImportedId, type OutputFor } from '../router/router-types.js';
export type ResumeOptions = PollOptions & SettleOptions & {
    /** Input of a call whose `needsInput` is true. */
    readonly input?: unknown;
};
export type PendingCall = (Exclude<ListedCall, DamagedCall> & {
    /** True if this router may resume the call: the owner matches, and the router trusts the origin of the stored URL. */
    readonly isOwn: boolean;
    /** True if the store dropped the body: pass `input` to `resume`, or repeat the call with this key. */
    readonly needsInput: boolean;
}) | (DamagedCall & {
    readonly isOwn: false;
    readonly needsInput?: undefined;
});
export type CallReference = PendingCall | StoredCall | {
    readonly idempotencyKey: string;
};
/** Lists billed calls without a known outcome that this program doesn't work on. `isHeld`: another program may work on it. */
export declare function listPending(router: RouterOf<unknown>): Promise<readonly PendingCall[]>;
/** Removes a call by its key, or a damaged record by its name. Its run may be billed, but its output can't be collected. */
export declare function forget(router: RouterOf<unknown>, idempotencyKey: string): Promise<void>;
/** Sends a stored call again with its key, or collects its queued result. With `model`, the output is typed. */
export declare function resume<Models, Model extends ModelOrImportedId<Models> | undefined = undefined>(router: RouterOf<Models>, reference: CallReference, options?: ResumeOptions & {
    readonly model?: Model;
}): Promise<ConvertedResult<Model extends undefined ? unknown : OutputFor<Models, Model>>>;
