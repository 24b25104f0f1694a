/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Clock, type TimeLimit } from '../http/clock.js';
import type { KnownCategory, ResponseFacts } from './response-facts.js';
export type LimitOptions = {
    /**
     * Maximum number of runs and submissions in flight. Waiting in the service's queue doesn't count. Default: no limit.
     */
    readonly requestsInFlight?: number | undefined;
    /** If fewer cents than this are left below the service's cap, billed calls are sent one at a time. */
    readonly minimumRemainingCents?: number | undefined;
};
/** Limits the number of billed calls in flight, and adapts to the responses of the service. */
export type Limits = {
    /** Waits for a free slot, at most `limitMs`. Returns a function that releases it. */
    acquire(time: TimeLimit, limitMs?: number): Promise<() => void>;
    /** Adapts to a response: after a 429, calls are sent one at a time for a while, or none until the quota is renewed. */
    update(status: number, known: KnownCategory, facts: ResponseFacts): void;
};
export declare function createLimits(options: LimitOptions, clock: Clock): Limits;
