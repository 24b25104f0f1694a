/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Sending } from '../http/attempt.js';
import { type KnownCategory } from './categories.js';
import type { Work } from './connection.js';
import { type Answered, type CallIdentity } from './failures.js';
import { type Repetition } from './outcome.js';
/** One question to the router, sent until its outcome is known. */
export type Question<Result> = CallIdentity & Omit<Sending, 'attempts' | 'facts' | 'isAdmitted' | 'queued'> & {
    /** `read` by default. */
    readonly repetition?: Repetition;
    /** The statuses whose body is read; 200 by default. */
    readonly successes?: readonly number[];
    /** What a readable answer says, the answer itself by default; a text is what its body would have to be. */
    readonly parse?: ((answer: Answer, work: Work) => Result | string) | undefined;
    /** Of a queued request: what the status said that it ended with. */
    readonly endsWith?: KnownCategory | undefined;
};
type Call = CallIdentity & Sending & {
    mayHaveRun?: boolean | undefined;
};
export type Answer = Answered & {
    readonly call: Call;
    readonly response: Response;
};
/** What the router says, by the table of retry outcomes. Throws a `RouterError`. */
export declare function ask<Result>(question: Question<Result>, work: Work): Promise<Result>;
export {};
