/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Source of time and randomness. Tests replace it. */
export type Clock = {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Milliseconds on a clock that never goes back, even if the wall clock is adjusted. Default: `now`. */
    elapsed?(): number;
    /** Resolves after `ms`, or rejects with the reason of the signal when it is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
    /** Returns a number in [0, 1). */
    random(): number;
};
export declare const systemClock: Clock;
/** Sleeps without keeping a Node process alive. */
export declare const sleepUnreferenced: (ms: number, signal: AbortSignal) => Promise<void>;
export declare const readElapsed: (clock: Clock) => number;
/** Returns `Retry-After` in milliseconds. A date is relative to the `Date` header of the same response. */
export declare function readRetryAfterMs(headers: Headers): number | undefined;
/** Thrown at the end of a wait, which the message describes. `limitMs`: the limit that ended the wait before the deadline. */
export declare class DeadlinePassed extends Error {
    readonly limitMs: number | undefined;
    constructor(message?: string, limitMs?: number, cause?: unknown);
}
export type TimeLimit = {
    readonly clock: Clock;
    readonly signal: AbortSignal | undefined;
    /** Deadline on the elapsed time of the clock. */
    readonly endsAt: number;
    /** True if the wait should not keep a Node process alive. */
    readonly isIdle?: boolean;
};
export declare function throwIfAborted(signal: AbortSignal | undefined): void;
/** Settles like `work`. Rejects with the signal's reason, or with `DeadlinePassed` at the deadline or after `limitMs`. */
export declare function withDeadline<T>(work: Promise<T>, time: TimeLimit, limitMs?: any, explain?: (_isDeadline: boolean) => string): Promise<T>;
/** Returns the wait before the next attempt: the server's `requestedMs`, or a backoff. `attempt` starts at 1. */
export declare function waitMs(requestedMs: number | undefined, attempt: number, clock: Clock): number;
/** Returns a backoff, which doubles from 0.5 to 30 seconds. Jitter subtracts up to half of it. `attempt` starts at 1. */
export declare function computeBackoffMs(attempt: number, clock: Clock): number;
