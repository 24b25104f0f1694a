/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Clock, type WaitEnd } from '../http/clock.js';
import type { KnownCategory, ResponseFacts } from './response-facts.js';
export type LimitOptions = {
    /** Maximum number of requests of runs and submissions in flight. A call that waits in the queue is not in flight. Default: no limit. */
    readonly requestsInFlight?: number | undefined;
    /** With fewer cents left under the service's cap, billed calls go one at a time. */
    readonly minimumRemainingCents?: number | undefined;
};
/** Limits how many billed calls are in flight, also by the responses of the service. */
export type Limits = {
    /** Waits for a free place, for `limitMs` at most. Returns a function that frees it again. */
    acquire(time: WaitEnd, limitMs?: number): Promise<() => void>;
    /**
     * Reads what a response means for other calls. After a 429 `concurrency_limit_exceeded`, calls go one at a time for a while. After a 429
     * `rate_limited`, none is sent until the quota is renewed.
     */
    update(status: number, known: KnownCategory, facts: ResponseFacts): void;
};
export declare function createLimits(options: LimitOptions, clock: Clock): Limits;
