/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Question as QuestionSent } from '../http/send.js';
import { type KnownCategory } from './categories.js';
import type { RouterCall } from './connection.js';
import { type Answered, type CallIdentity } from './failures.js';
/**
 * How a call may be repeated. A billed call without a key is never repeated; one with a key always keeps it.
 * `read` is a GET that costs nothing, `poll` asks for the state of a request that was admitted, `collect` fetches the result of a queued
 * request, `cancel` asks to end one.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'poll' | 'collect' | 'cancel';
/** One question to the router, sent until its outcome is known. */
export type Question<Result> = Omit<QuestionSent<CallIdentity>, 'facts' | 'isAdmitted' | 'isRepeatable'> & {
    readonly repetition: Repetition;
    /** The statuses whose body is read; 200 by default. */
    readonly successes?: readonly number[];
    /** What a readable answer says; a text is what its body would have to be. */
    readonly parse: (answer: Answer) => Result | string;
    /** Whether the answer is an output of a model. */
    readonly isOutput?: boolean;
    /** What that may be, where it is known. */
    readonly outputMediaTypes?: readonly string[] | undefined;
    /** Of a queued request: what the status said that it ended with. */
    readonly endsWith?: KnownCategory | undefined;
};
export type Answer = Answered & {
    readonly identity: CallIdentity;
    readonly url: string;
    readonly response: Response;
    readonly end: (why?: unknown) => void;
    readonly attempts: number;
};
/** What the router says, by the table of retry outcomes. Rejects with a `RouterError`. */
export declare function ask<Result extends object>(question: Question<Result>, call: RouterCall): Promise<Result>;
