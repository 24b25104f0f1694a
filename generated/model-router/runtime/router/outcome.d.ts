/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { NextStep } from '../http/perform.js';
import type { Category, KnownCategory } from './categories.js';
/**
 * How a call may be repeated. A billed call without a key is never repeated; one with a key always keeps it.
 * `read` is a GET that costs nothing, `poll` asks for the state of a request that was admitted, `collect` fetches the result of a queued request, `cancel` asks to end one.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'poll' | 'collect' | 'cancel';
/** What one attempt ended in. */
export type AttemptOutcome = {
    readonly kind: 'answered';
    readonly status: number;
    readonly category: Category;
    readonly retryAfterSeconds?: number | undefined;
}
/** No response, or a success that broke off before its end; `isUnsent` when there was no connection at all, `isFinal` when there never will be. */
 | {
    readonly kind: 'lost';
    readonly isUnsent?: boolean;
    readonly isFinal?: boolean;
};
/**
 * The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). `endsWith` is how the status said that a queued
 * request ended: an answer that repeats it is final.
 */
export declare function nextStep(repetition: Repetition, outcome: AttemptOutcome, endsWith?: KnownCategory): NextStep;
/** Whether the service waits for an output itself: the call was admitted, and asking again collects it. */
export declare function isCollecting(outcome: AttemptOutcome): boolean;
/** Whether a billed call that ended so may have reached a provider, which nothing that comes later takes back (MR-IDM-20). */
export declare function mayHaveRun(outcome: AttemptOutcome): boolean;
