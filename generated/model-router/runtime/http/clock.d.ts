/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Time and chance. Tests replace them. */
export type Clock = {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Milliseconds that never go back when the wall clock is set. Default: `now`. */
    elapsed?(): number;
    /** Resolves after `ms`, or rejects with the reason of the signal when it is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
    /** From 0 up to 1. */
    random(): number;
};
export declare const systemClock: Clock;
/** Calls `work` after `ms`, unless the returned function is called. Keeps no process of Node alive. */
export declare function wakeIn(ms: number, work: () => void): () => void;
/** Returns the time by which waits and deadlines are measured. */
export declare const readElapsed: (clock: Clock) => number;
/** Returns the milliseconds of `Retry-After`. A date is compared with the `Date` of the same response. */
export declare function readRetryAfterMs(headers: Headers): number | undefined;
/** Thrown when the time for a wait is over. The message names what was awaited. `limitMs` is set for a limit shorter than the deadline. */
export declare class DeadlinePassed extends Error {
    readonly limitMs: number | undefined;
    constructor(message?: string, limitMs?: number, cause?: unknown);
}
/** When a wait ends at the latest. */
export type WaitEnd = {
    readonly signal: AbortSignal | undefined;
    /** By the elapsed time of the clock. */
    readonly endsAt: number;
};
export type Time = WaitEnd & {
    readonly clock: Clock;
    /** Keeps no process of Node alive. */
    readonly isIdle?: boolean;
};
/**
 * Settles like `work`, or rejects when the signal is aborted, or with `DeadlinePassed` at the deadline or after `limitMs`. Does not stop
 * the work.
 */
export declare function within<T>(work: Promise<T>, time: Time, limitMs?: any, explain?: () => string): Promise<T>;
/** Returns the wait before the next attempt: `requestedMs` of the server, or a backoff. `attempt` counts from 1. */
export declare function waitMs(requestedMs: number | undefined, attempt: number, clock: Clock): number;
/** Doubles from half a second up to 30 seconds; jitter subtracts up to half of it. `attempt` counts from 1. */
export declare function backoffMs(attempt: number, clock: Clock): number;
