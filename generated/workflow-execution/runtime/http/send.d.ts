/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type ReadBody } from './read-body.js';
/** What a caller may hand in. */
export type Fetch = (request: Request) => Promise<Response>;
/** As the platform's `fetch`: a `Request` that is handed to it is copied, which takes longer than all else that a call does. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;
export declare const toTransport: (fetch: Fetch) => Transport;
/** The origin of an absolute address of http or https without a user name; undefined for any other text. */
export declare function readOrigin(address: string): string | undefined;
export type Outgoing = {
    readonly method: 'GET' | 'POST' | 'PUT';
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | undefined;
};
/** One attempt: a response, or none. The body of a stream is not read; one that broke off is `malformed`. */
export type Sent = {
    readonly kind: 'answered';
    readonly response: Response;
    readonly body: ReadBody | {
        readonly kind: 'stream';
    };
} | {
    readonly kind: 'lost';
    readonly cause: unknown;
    readonly isTimeout: boolean;
}
/** No request can be made of it, so nothing was sent. The platform's words are left out: they repeat the credential. */
 | {
    readonly kind: 'unsendable';
};
export type SendOptions = {
    readonly fetch: Transport;
    /** Headers of every request; those of `outgoing` replace them. */
    readonly headers: Readonly<Record<string, string>>;
    /** Ends the whole call; its reason is thrown. */
    readonly signal: AbortSignal;
    /** Ends this attempt only, which counts as lost. */
    readonly timeoutMs: number;
    /** Takes secrets out of the body of an error. */
    readonly redact: (text: string) => string;
    /** Leaves the body of a 200 to the caller. */
    readonly stream?: boolean;
};
/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export declare function send(outgoing: Outgoing, options: SendOptions): Promise<Sent>;
