/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Work } from './connection.js';
import type { StoredCall } from './key-store.js';
import { type Admitted } from './queued-request.js';
import { type ConvertedResult, type RunResult } from './results.js';
import type { AnyModel } from './router-types.js';
export declare function run(target: string | AnyModel, input: unknown, work: Work): Promise<ConvertedResult<unknown>>;
/** Puts a run into the queue. */
export declare function enqueue(target: string | AnyModel, input: unknown, work: Work): Promise<Admitted>;
export declare function subscribe(target: string | AnyModel, input: unknown, work: Work): Promise<RunResult<unknown>>;
export declare function toModel(target: string | AnyModel): AnyModel;
type ResumeWork = Work & {
    readonly model?: string | AnyModel;
};
/** Goes on with a call that the key store holds. */
export declare function resume({ key, operation, model }: Partial<StoredCall> & Pick<StoredCall, 'key'>, work: ResumeWork): Promise<ConvertedResult<unknown>>;
export {};
