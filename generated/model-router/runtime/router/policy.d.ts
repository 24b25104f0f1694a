/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Call, Client } from '../http/call.js';
import type { Policy } from '../http/send.js';
import { type Answered, type CallIdentity } from './failures.js';
import type { KeyStore } from './key-store.js';
import type { Limits } from './limits.js';
import { type KnownCategory } from './response-facts.js';
export type Connection = Client<CallIdentity> & {
    /** Origins that may receive the credential, the base address's own included. */
    readonly trustedOrigins: ReadonlySet<string>;
    /** True where the router's own path at another origin is requested at the base address. */
    readonly mapsAddresses: boolean;
    /** The word in header names for which the API documents write Service, in lower case. */
    readonly brand: string;
    readonly limits: Limits;
    readonly keys: KeyStore;
    /** True for the memory of the client itself, for which nothing has to be bounded. */
    readonly hasOwnKeys: boolean;
    /** Where a call without a key of its own takes up an equal one; nowhere by default. */
    readonly recoverScope: string | undefined;
    /** How long one attempt of a run may take; above the ten minutes that the router holds a call (MR-LIM-10). */
    readonly runTimeoutMs: number;
};
/** One call of a method of a router. */
export type RouterCall = Call<Connection>;
/**
 * How a call may be repeated. A billed call without a key is never repeated; one with a key always keeps it.
 * `read` is a GET that costs nothing, `poll` asks for the state of a request that was admitted, `collect` fetches the result of a queued
 * request, `cancel` asks to end one.
 */
export type Repetition = 'keyed' | 'unkeyed' | 'read' | 'poll' | 'collect' | 'cancel';
/** A request to the router, and what may come back. */
export type Question<Result> = Pick<Policy<CallIdentity, Result>, 'identity' | 'method' | 'url' | 'headers' | 'body' | 'timeoutMs' | 'maxBytes' | 'isStream' | 'expiry'> & {
    readonly repetition: Repetition;
    /** The statuses whose body is read; 200 by default. */
    readonly successes?: readonly number[];
    /** The result in a readable answer; a text names what its body would have to be. */
    readonly parse: (answer: Answer) => Result | string;
    /** True where the answer is an output of a model. */
    readonly isOutput?: boolean;
    /** The media types of the output, where they are known. */
    readonly outputMediaTypes?: readonly string[] | undefined;
    /** The category with which a queued request ended, as its status said. */
    readonly endsWith?: KnownCategory | undefined;
};
export type Answer = Answered & {
    readonly identity: CallIdentity;
    readonly url: string;
    readonly response: Response;
    readonly end: (why?: unknown) => void;
    readonly attempts: number;
};
/** How a question is sent until its outcome is known. */
export declare function toPolicy<Result extends object>(question: Question<Result>, call: RouterCall): Policy<CallIdentity, Result>;
