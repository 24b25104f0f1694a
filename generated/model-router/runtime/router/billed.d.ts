/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type RouterCall } from './connection.js';
import { type StoredCall } from './key-store.js';
import type { ProviderOptions, RunOptions, SubmitOptions } from './options.js';
import { type RequestSpec } from './policy.js';
import { type ConvertedResult } from './results.js';
import { type CallIdentity } from './router-error.js';
import type { AnyModel } from './router-types.js';
export type AnyRunOptions = RunOptions & ProviderOptions;
export declare function run(model: AnyModel, input: unknown, options: AnyRunOptions, call: RouterCall): Promise<ConvertedResult<unknown>>;
type BilledIdentity = CallIdentity & {
    readonly operation: 'run' | 'submit';
    readonly model: string;
};
export type BilledRequest<Result> = {
    readonly identity: BilledIdentity;
    readonly model: AnyModel;
    readonly url: string;
    readonly body: string;
    readonly parse: RequestSpec<Result>['parse'];
};
export declare const identifyCall: (operation: "run" | "submit", { id, chargesOnPolicyRejection, inputAuthored }: AnyModel) => BilledIdentity;
/** Returns the body of a run. If `validate` rejects the input, throws the error that the service would return. */
export declare function prepareInput(input: unknown, identity: CallIdentity, { validate }: SubmitOptions): string;
/** Sends a run or a submission. With a key, the call is stored before its first byte is sent (MR-IDM-37). */
export declare function sendBilled<Result extends object>(request: BilledRequest<Result>, { idempotencyKey: given, as }: AnyRunOptions, call: RouterCall, resumed?: StoredCall): Promise<Result>;
/** Converts an input to JSON. Rejects it if JSON would change it, because that would be a different, billed run. */
export declare function stringifyInput(input: unknown, identity: CallIdentity): string;
export {};
