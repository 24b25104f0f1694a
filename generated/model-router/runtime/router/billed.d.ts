/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { RouterCall } from './connection.js';
import { type CallIdentity } from './failures.js';
import { type StoredCall } from './key-store.js';
import type { SubmitOptions } from './options.js';
import { type Answer, type Question } from './policy.js';
import { type ConvertedResult } from './results.js';
import type { AnyModel } from './router-types.js';
export type RunChoices = SubmitOptions & {
    readonly as?: 'stream' | undefined;
    readonly settle?: 'manual' | undefined;
    readonly modelProvider?: string | undefined;
    readonly fallbackProvider?: string | undefined;
    readonly strictMode?: boolean | undefined;
};
/** Runs a model and returns its output. */
export declare function run(model: AnyModel, input: unknown, options: RunChoices, call: RouterCall): Promise<ConvertedResult<unknown>>;
/** Identity of a run or a submission. */
type BilledIdentity = CallIdentity & {
    readonly operation: 'run' | 'submit';
    readonly model: string;
};
/** A run or a submission, to be sent and stored. */
export type BilledRequest<Result> = {
    readonly identity: BilledIdentity;
    readonly model: AnyModel;
    readonly url: string;
    readonly body: string;
    readonly parse: Question<Result>['parse'];
};
export declare const asOutput: (answer: Answer) => Answer;
export declare const identify: (operation: "run" | "submit", { id, chargesOnPolicyRejection, inputAuthored }: AnyModel) => BilledIdentity;
export declare function readInput(input: unknown, identity: CallIdentity, { validate }: SubmitOptions): string;
/** Sends a run or a submission. With a key, the call is stored before its first byte is sent (MR-IDM-37). */
export declare function sendBilled<Result extends object>(request: BilledRequest<Result>, { idempotencyKey: given, as }: RunChoices, call: RouterCall, resumed?: StoredCall): Promise<Result>;
export {};
