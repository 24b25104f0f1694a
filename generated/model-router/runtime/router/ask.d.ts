/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { GuardedResponse } from '../http/guard-stream.js';
import { type Sending } from '../http/perform.js';
import { type KnownCategory } from './categories.js';
import type { Work } from './connection.js';
import { type Answered, type CallIdentity } from './failures.js';
import { type Repetition } from './outcome.js';
import type { RouterError } from './router-error.js';
/** One question to the router, sent until its outcome is known. */
export type Question = CallIdentity & Omit<Sending, 'attempts' | 'facts' | 'isAdmitted' | 'queued'> & {
    readonly repetition: Repetition;
    /** Whether a status, with its body, is a result and no error; 200 by default. */
    readonly isSuccess?: (status: number, body: Answered['body']) => boolean;
    /** Of a queued request: what the status said that it ended with. */
    readonly endsWith?: KnownCategory | undefined;
};
type Call = Question & Sending & {
    mayHaveRun?: boolean | undefined;
};
export type Answer = Answered & {
    readonly call: Call;
    readonly response: Response;
    /** Of a stream: sets what is done when it was read to its end, or was not. */
    readonly whenRead?: GuardedResponse['whenRead'] | undefined;
};
/** The answer of the router, by the table of retry outcomes. Throws a `RouterError`. */
export declare function ask(question: Question, work: Work): Promise<Answer>;
/** A success whose body is readable and not what is due. */
export declare function failProtocol({ call, ...answered }: Answer, due: string, { credential }: Work): RouterError;
export {};
