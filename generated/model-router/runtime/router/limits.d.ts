/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock, type Time } from '../http/clock.js';
import type { CommittedSpend } from './response-facts.js';
export type LimitOptions = {
    /** Billed calls in flight at a time; no limit by default. */
    readonly concurrency?: number | undefined;
    /** Below this many cents left under the service's cap, billed calls go one at a time. */
    readonly minimumRemainingCents?: number | undefined;
};
/** Decides how many billed calls are in flight, and learns from what the service answers. */
export type Limits = {
    /** Waits for a free place, for `limitMs` at most; the returned function gives it back, once. */
    enter(time: Pick<Time, 'signal' | 'endsAt'>, limitMs?: number): Promise<() => void>;
    /** A 429 says that there were too many: for a while nothing is sent in parallel. */
    slowDown(seconds: number | undefined): void;
    /** A 429 says that the quota is used up: until it is renewed, nothing is sent. */
    pause(seconds: number | undefined): void;
    noteSpend(spend: CommittedSpend | undefined): void;
};
export declare function createLimits(options: LimitOptions, clock: Clock): Limits;
