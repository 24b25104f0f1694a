/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Transport, TransportOptions } from './transport.js';
type Called<Facts> = Facts & {
    readonly callId: string;
};
/** Attribute names follow the semantic conventions of OpenTelemetry. Credentials and bodies are never part of an event. */
export type RequestEventOf<Facts> = Called<Facts> & {
    /** 1 for the first attempt. */
    readonly attempt: number;
    readonly attributes: {
        readonly 'http.request.method': string;
        readonly 'url.full': string;
        /** 0 for the first attempt. */
        readonly 'http.request.resend_count': number;
    };
};
export type ResponseEventOf<Facts> = RequestEventOf<Facts> & {
    readonly durationMs: number;
    readonly attributes: {
        /** Absent when no response arrived. */
        readonly 'http.response.status_code'?: number;
        /** Category of an error, `timeout` or `network`. */
        readonly 'error.type'?: string;
    };
};
export type RetryEventOf<Event> = Event & {
    readonly waitMs: number;
    /** Whether the server told to wait; such a repetition uses up no attempt. */
    readonly asTold: boolean;
    /** Why it was not the last attempt, such as `503 service_unavailable` or `network`. */
    readonly reason: string;
};
/** Of a call that ended; what the method threw is absent after a success. */
export type EndEventOf<Facts, Failure> = Called<Facts> & {
    readonly durationMs: number;
    readonly error?: Failure;
};
type Events<Call, Request, Response, Failure> = {
    onStart: Called<Call>;
    onEnd: EndEventOf<Call, Failure>;
    onRequest: Request;
    onResponse: Response;
    onRetry: RetryEventOf<Response>;
};
type ObserversTo<Events> = {
    readonly [Name in keyof Events]?: ((event: Events[Name]) => void) | undefined;
};
/** Functions that watch a client at work: a call, and within it the attempts. */
export type ObserversOf<Call, Request, Response, Failure> = ObserversTo<Events<Call, Request, Response, Failure>>;
/** One attempt on its way to the service, with what is known of its call. Unlike `url`, no attribute holds a credential. */
export type OutgoingOf<Event> = TransportOptions & Event & {
    readonly url: string;
};
/** May change the request, answer in place of the service, or look at the response. The credential is among the headers. */
export type MiddlewareOf<Outgoing> = (request: Outgoing, next: (request: Outgoing) => Promise<Response>) => Promise<Response>;
/** What `use` takes: a middleware, or observers that may come with one. */
export type PartOf<Outgoing, Observers> = MiddlewareOf<Outgoing> | (Observers & {
    readonly middleware?: MiddlewareOf<Outgoing> | undefined;
});
/** A part that was added to a client, whatever its events are. */
export type Part = {
    readonly middleware?: ((request: never, next: (request: OutgoingOf<object>) => Promise<Response>) => Promise<Response>) | undefined;
} & {
    readonly [Name in keyof ObserversOf<never, never, never, never>]?: ((event: never) => unknown) | undefined;
};
/** The `fetch` of one attempt: through every middleware in order. */
export declare function passThrough(fetch: Transport, parts: readonly Part[], facts: object): Transport;
/** Calls an observer. One that throws must not cost a billed result, and one that rejects must not end the process. */
export declare function notify<Event>(observer: ((event: Event) => unknown) | undefined, event: Event): Promise<void>;
export declare function notifyAll(parts: readonly Part[], name: Exclude<keyof Part, 'middleware'>, event: object): void;
/** The method `use` of a client. */
export declare function addParts<Added extends Part | NonNullable<Part['middleware']>>(parts: Part[]): (...added: readonly Added[]) => void;
export {};
