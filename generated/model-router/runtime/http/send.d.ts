/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type GuardedResponse, type StreamLimits } from './guard-stream.js';
import { type ReadBody } from './read-body.js';
/**
 * As the platform's `fetch` is called, with what is used of its options. A `Request` in their place would be copied, which takes
 * longer than all else that a call does, and packages that have a `fetch` of their own do not know the platform's.
 */
export type Transport = (url: string, init: TransportOptions) => Promise<Response>;
export type TransportOptions = {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string | null;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
};
/** One attempt: a response, or none. The body of a stream is not read; one that broke off is `malformed`. */
export type Sent = {
    readonly kind: 'answered';
    readonly response: Response;
    readonly body: ReadBody | {
        readonly kind: 'stream';
    };
    /** Of a stream. */
    readonly whenRead?: GuardedResponse['whenRead'];
} | {
    readonly kind: 'lost';
    readonly cause: unknown /** Where its time was over. */;
    readonly timeoutMs?: number;
}
/** No request can be made of it, so nothing was sent. The platform's words are left out: they repeat the credential. */
 | {
    readonly kind: 'unsendable';
};
export type Outgoing = {
    readonly method: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    /** A later one replaces an earlier one of its name. */
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: string | null;
    readonly fetch: Transport;
    /** Ends the whole call; its reason is thrown. */
    readonly signal: AbortSignal;
    /** Ends this attempt only, which counts as lost. */
    readonly timeoutMs: number;
    /** More than this of a body is not read; a stream has no such limit. */
    readonly maxBytes: number;
    /** Leaves the body of a 200 to the caller, within these limits. */
    readonly stream: StreamLimits | undefined;
};
/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export declare function send(outgoing: Outgoing): Promise<Sent>;
