/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { NextStep } from '../http/attempt.js';
import type { KnownCategory } from './categories.js';
/**
 * How a call may be repeated. A billed call without a key is never repeated; one with a key always keeps it.
 * `read` is a GET that costs nothing, `poll` asks for the state of a request that was admitted, `collect` fetches the result of a queued request, `cancel` asks to end one.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'poll' | 'collect' | 'cancel';
/** What one attempt that failed ended in. */
export type AttemptOutcome = {
    /** 0 without a response, or of a success that broke off before its end. */
    readonly status: number;
    readonly known?: KnownCategory;
    readonly retryAfterSeconds?: number | undefined;
    /** There was no connection at all. */
    readonly isUnsent?: boolean;
    /** It will end so again. */
    readonly isFinal?: boolean;
};
/**
 * The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). `endsWith` is how the status said that a queued
 * request ended: an answer that repeats it is final.
 */
export declare function nextStep(repetition: Repetition, outcome: AttemptOutcome, endsWith?: KnownCategory): NextStep;
/** Whether a billed call that ended so may have reached a provider, which nothing that comes later takes back (MR-IDM-20). */
export declare function mayHaveRun({ status, known, isUnsent }: AttemptOutcome): boolean;
