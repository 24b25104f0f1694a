/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type KeyOptions } from './billed-call.js';
import { type ConvertedResult, type RunResult } from './results.js';
import type { AnyModel, CallOptions, QueuedRequest, RunOptions, SubscribeOptions, UntypedQuery } from './router-types.js';
import { type Session } from './session.js';
export declare function run(target: string | AnyModel, input: unknown, options: RunOptions & UntypedQuery, session: Session): Promise<ConvertedResult<unknown>>;
export declare function submit(target: string | AnyModel, input: unknown, options: CallOptions & KeyOptions, session: Session): Promise<QueuedRequest<unknown>>;
export declare function subscribe(target: string | AnyModel, input: unknown, options: SubscribeOptions, session: Session): Promise<RunResult<unknown>>;
export declare const idOf: (target: string | AnyModel) => string;
