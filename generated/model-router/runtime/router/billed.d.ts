/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { ResumeOptions, SubmitOptions } from './options.js';
import { type RouterCall } from './policy.js';
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
/** Goes on with a call that the key store holds. */
export declare function resume(reference: {
    idempotencyKey: string;
    operation?: 'run' | 'submit' | undefined;
    model?: string | undefined;
}, options: ResumeOptions & {
    readonly model?: string | AnyModel | undefined;
}, call: RouterCall): Promise<ConvertedResult<unknown>>;
