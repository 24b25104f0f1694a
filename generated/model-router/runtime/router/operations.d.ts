/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Session } from './connection.js';
import { type ConvertedResult, type RunResult } from './results.js';
import type { AnyModel, ProviderOptions, QueuedRequest, RunOptions, SubmitOptions, SubscribeOptions } from './router-types.js';
export declare function run(session: Session, target: string | AnyModel, input: unknown, options?: RunOptions & ProviderOptions): Promise<ConvertedResult<unknown>>;
export declare function submit(session: Session, target: string | AnyModel, input: unknown, options?: SubmitOptions): Promise<QueuedRequest<unknown>>;
export declare function subscribe(session: Session, target: string | AnyModel, input: unknown, options?: SubscribeOptions): Promise<RunResult<unknown>>;
