/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock, type Time } from '../http/clock.js';
import type { KnownCategory, ResponseFacts } from './response-facts.js';
export type LimitOptions = {
    /** Requests of runs and submissions in flight at a time; no limit by default. A call that waits in the queue is not in flight. */
    readonly requestsInFlight?: number | undefined;
    /** Below this many cents left under the service's cap, billed calls go one at a time. */
    readonly minimumRemainingCents?: number | undefined;
};
/** Decides how many billed calls are in flight, by the answers of the service. */
export type Limits = {
    /** Waits for a free place, for `limitMs` at most; the returned function gives it back, once. */
    enter(time: Pick<Time, 'signal' | 'endsAt'>, limitMs?: number): Promise<() => void>;
    /**
     * Takes in what an answer means for other calls. After a 429 because there were too many, nothing is sent in parallel for a while; where
     * the quota is used up, nothing is sent until it is renewed.
     */
    learn(status: number, known: KnownCategory, facts: ResponseFacts): void;
};
export declare function createLimits(options: LimitOptions, clock: Clock): Limits;
