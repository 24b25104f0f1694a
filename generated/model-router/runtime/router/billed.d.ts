/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { RouterCall } from './connection.js';
import { type CallIdentity } from './failures.js';
import type { ResumeOptions, SubmitOptions, SubscribeOptions } from './options.js';
import { type Admitted } from './queue.js';
import { type ConvertedResult } from './results.js';
import type { AnyModel } from './router-types.js';
export type RunChoices = SubmitOptions & {
    readonly as?: 'stream' | undefined;
    readonly settle?: 'manual' | undefined;
    readonly modelProvider?: string | undefined;
    readonly fallbackProvider?: string | undefined;
    readonly strictMode?: boolean | undefined;
};
export declare function run(model: AnyModel, input: unknown, options: RunChoices, call: RouterCall): Promise<ConvertedResult<unknown>>;
/** Puts a run into the queue. */
export declare function enqueue(model: AnyModel, input: unknown, options: SubmitOptions, call: RouterCall): Promise<Admitted>;
export declare function subscribe(model: AnyModel, input: unknown, options: SubscribeOptions, call: RouterCall): Promise<ConvertedResult<unknown>>;
export declare const identify: (operation: "run" | "submit", { id, chargesOnPolicyRejection, inputAuthored }: AnyModel) => CallIdentity & {
    readonly operation: "run" | "submit";
    readonly model: string;
};
/** Goes on with a call that the key store holds. */
export declare function resume({ idempotencyKey, operation, model: id, }: {
    idempotencyKey: string;
    operation?: 'run' | 'submit' | undefined;
    model?: string | undefined;
}, options: ResumeOptions & {
    readonly model?: string | AnyModel | undefined;
}, call: RouterCall): Promise<ConvertedResult<unknown>>;
