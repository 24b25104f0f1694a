/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type PollOptions } from '../queue/requests.js';
import { connectionOf, type RouterOf } from '../router/connection.js';
import { type DamagedCall, type ListedCall, type StoredCall } from '../router/key-store.js';
import type { SettleOptions } from '../router/options.js';
import { type ConvertedResult } from '../router/results.js';
import type { ModelOrImportedId, OutputFor } from '../router/router-types.js';
export type ResumeOptions = PollOptions & SettleOptions & {
    /** Of a call that `needsInput`: the same input as before. */
    readonly input?: unknown;
};
/** A call that `listPending` lists. */
export type PendingCall = (Exclude<ListedCall, DamagedCall> & {
    /** True where this client may resume it: it has the same owner, and the address is one of its trusted origins. */
    readonly isOwn: boolean;
    /** The store dropped the body: give `input` to `resume`, or make the same call with this key. */
    readonly needsInput: boolean;
}) | (DamagedCall & {
    readonly isOwn: false;
    readonly needsInput?: undefined;
});
/** A call that `listPending` lists, or its key. */
export type CallReference = PendingCall | StoredCall | {
    readonly idempotencyKey: string;
};
/** Lists billed calls of the key store without a known outcome that this program does not work on. `isHeld`: another program may. */
export declare function listPending({ [connectionOf]: client }: RouterOf<unknown>): Promise<readonly PendingCall[]>;
/** Removes a call by its key, and a damaged one by its name. A run that it has started may be billed, and cannot be collected. */
export declare function forget({ [connectionOf]: client }: RouterOf<unknown>, idempotencyKey: string): Promise<void>;
/**
 * Goes on with a call of `listPending`: sends it again with its key, or collects its queued result. With its `model` the output has the type
 * of that model.
 */
export declare function resume<Models, Model extends ModelOrImportedId<Models> | undefined = undefined>({ [connectionOf]: client }: RouterOf<Models>, reference: CallReference, options?: ResumeOptions & {
    readonly model?: Model;
}): Promise<ConvertedResult<Model extends undefined ? unknown : OutputFor<Models, Model>>>;
