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
export declare const systemClock: Clock;
/** Doubles from half a second up to half a minute; jitter takes away up to half of it. `attempt` counts from 1. */
export declare function backoffMs(attempt: number, clock: Clock): number;
