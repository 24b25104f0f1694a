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
    /** Resolves after `ms`, or rejects with the signal's reason as soon as it is aborted. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
    /** From 0 up to 1. */
    random(): number;
};
export declare const longestTimerMs: number;
export declare const systemClock: Clock;
/** The deadline of a call passed while it waited for something that knows no deadline. */
export declare class DeadlinePassed extends Error {
}
/** What `work` resolves to, or a rejection as soon as the signal is aborted or `ms` have passed. The work itself goes on. */
export declare function within<T>(work: Promise<T>, { signal, ms }: {
    signal: AbortSignal;
    ms: number;
}): Promise<T>;
/** How long to wait as told, or else for how many milliseconds to back off. `attempt` counts from 1. */
export declare function waitMs(seconds: number | undefined, attempt: number, clock: Clock): number;
/** Doubles from half a second up to half a minute; jitter takes away up to half of it. `attempt` counts from 1. */
export declare function backoffMs(attempt: number, clock: Clock): number;
