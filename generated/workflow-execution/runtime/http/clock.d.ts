/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Time and chance, handed in so that tests need no patience. */
export type Clock = {
    /** Milliseconds since the epoch. */
    now(): number;
    /** Milliseconds that only go forward, also where the wall clock is set; those of `now` by default. */
    elapsed?(): number;
    /** Resolves after `ms`, or rejects with the signal's reason as soon as it is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
    /** From 0 up to 1. */
    random(): number;
};
export declare const systemClock: Clock;
/** Does `work` later, unless it is stopped. Keeps no process of Node alive. */
export declare function wakeIn(ms: number, work: () => void): () => void;
/** The time by which waits and deadlines are measured. */
export declare const readElapsed: (clock: Clock) => number;
/** The milliseconds of a `Retry-After`. A date in it is compared with the date of the same answer. */
export declare function readRetryAfterMs(headers: Headers): number | undefined;
/** The time of a call was over while it waited; the message says for what. `limitMs` is set for a limit shorter than the deadline. */
export declare class DeadlinePassed extends Error {
    readonly limitMs: number | undefined;
    constructor(message?: string, limitMs?: number, cause?: unknown);
}
/** The bounds of a wait. */
export type Time = {
    readonly clock: Clock;
    readonly signal: AbortSignal | undefined;
    /** By the elapsed time of the clock. */
    readonly endsAt: number;
    /** Keeps no process of Node alive. */
    readonly isIdle?: boolean;
};
/**
 * Settles like `work`, or rejects as soon as the signal is aborted, or with `DeadlinePassed` when the time or the shorter limit is over.
 * The work itself goes on.
 */
export declare function within<T>(work: Promise<T>, time: Time, limitMs?: any, explain?: () => string): Promise<T>;
/** The time that a server asked to wait, or the backoff before an attempt, which counts from 1. */
export declare function waitMs(toldMs: number | undefined, attempt: number, clock: Clock): number;
/** Doubles from half a second up to half a minute; jitter takes away up to half of it. `attempt` counts from 1. */
export declare function backoffMs(attempt: number, clock: Clock): number;
