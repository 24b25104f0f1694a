/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { FailureFacts } from '../http/connection.js';
import { type Body } from '../http/read-body.js';
import type { Category } from './categories.js';
import type { EndedState } from './queue-state.js';
import type { ResponseFacts } from './response-facts.js';
import { type QueuedAddresses, RouterError, type RouterOperation } from './router-error.js';
/** Who calls what, for the error. */
export type CallIdentity = {
    readonly operation: RouterOperation;
    readonly model?: string | undefined;
    readonly key?: string | undefined;
    readonly queued?: QueuedAddresses | undefined;
    /** What the model's facts say about a refusal by content policy; undefined counts as possibly charged. */
    readonly chargesOnPolicyRejection?: string | undefined;
    /** Whether the router checks the input before any provider sees it; undefined counts as no. */
    readonly inputAuthored?: boolean | undefined;
    /** What the response of a run may be at its own provider, where that is known. */
    readonly outputMediaTypes?: readonly string[] | undefined;
    /** An earlier attempt may have reached a provider. */
    readonly mayHaveRun?: boolean | undefined;
    /** How often it was sent so far. */
    readonly attempts?: number;
};
/** A response, as far as an error shows it. */
export type Answered = {
    readonly status: number;
    readonly body: Body;
    readonly facts: ResponseFacts;
    readonly category: Category;
    readonly response?: Response;
};
export declare const isBilled: ({ operation }: CallIdentity) => boolean;
/** The error of a call; one that the client itself refused where no kind is given. */
export declare function fail(call: CallIdentity, message: string, { cause, isOpen, redact, ...more }?: FailureFacts): RouterError;
/** What the key store does for a call. */
export declare function fromStore<Result>(work: Promise<Result>, call: CallIdentity): Promise<Result>;
/** A response that is no success, or a success that cannot be read or breaks a promise of the API: `broken` says which. */
export declare function failAnswered(call: CallIdentity, answered: Answered, { redact, broken, ...more }: FailureFacts & {
    readonly broken?: string | undefined;
}): RouterError;
/** The same of what is known without a response. */
export declare function failAs(call: CallIdentity, status: number, detail: unknown, { category, facts, cause }: Pick<Answered, 'category' | 'facts'> & {
    readonly cause?: unknown;
}): RouterError;
/** A queued request that completed without a result. Whether it was billed is open, also after a cancellation. */
export declare function failEnded(call: CallIdentity, ended: EndedState, cause?: unknown): RouterError;
export declare const newRun = "a new key starts a new run, which may be billed";
