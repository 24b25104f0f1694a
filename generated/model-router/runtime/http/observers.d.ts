/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Called like the platform's `fetch`, with a subset of its options. */
export type Transport = (url: string, init: TransportOptions) => Promise<Response>;
export type TransportOptions = {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string | null;
    readonly redirect: 'manual';
    /** Set for reads if the platform has the option, because Next.js would cache them. */
    readonly cache?: 'no-store';
    readonly signal: AbortSignal;
};
/** Headers by name; `undefined` is the same as omitting one. */
export type GivenHeaders = Readonly<Record<string, string | undefined>>;
type WithCallId<Facts> = Facts & {
    readonly callId: string;
};
/** An attempt, without credentials and bodies. Attributes are named like OpenTelemetry's semantic conventions. */
export type RequestEventOf<Facts> = WithCallId<Facts> & {
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
        /** Missing if no response arrived. */
        readonly 'http.response.status_code'?: number;
        /** Error category of the service, or `timeout` or `network`. */
        readonly 'error.type'?: string;
    };
};
export type RetryEventOf<Event> = Event & {
    readonly waitMs: number;
    /** True if the server requested the wait. Such a retry doesn't count against `maxAttempts`. */
    readonly isRequested: boolean;
    /** Reason for the next attempt, such as `503 service_unavailable` or `network`. */
    readonly reason: string;
};
/** The end of a call. `error` is missing if the call succeeded. */
export type EndEventOf<Facts, Failure> = WithCallId<Facts> & {
    readonly durationMs: number;
    readonly error?: Failure;
};
type Observer<Event> = ((event: Event) => void) | undefined;
export type ObserversOf<Facts, Sent, Answered, Failure> = {
    readonly onStart?: Observer<WithCallId<Facts>>;
    readonly onEnd?: Observer<EndEventOf<Facts, Failure>>;
    readonly onRequest?: Observer<Sent>;
    readonly onResponse?: Observer<Answered>;
    readonly onRetry?: Observer<RetryEventOf<Answered>>;
};
/** An attempt before it is sent. `url` may contain a credential, attributes never do. */
export type OutgoingOf<Event> = TransportOptions & Event & {
    readonly url: string;
};
/** A middleware can change the request, answer it, or read the response. The headers contain the credential. */
export type MiddlewareOf<Outgoing> = (request: Outgoing, next: (request: Outgoing) => Promise<Response>) => Promise<Response>;
/** Parameter of `use`: a middleware, or observers with an optional middleware. */
export type PartOf<Outgoing, Observers> = MiddlewareOf<Outgoing> | (Observers & {
    readonly middleware?: MiddlewareOf<Outgoing> | undefined;
});
type AnyMiddleware = (request: never, next: (request: OutgoingOf<object>) => Promise<Response>) => Promise<Response>;
export type Part = {
    readonly middleware?: AnyMiddleware | undefined;
} & ObserversOf<never, never, never, never>;
export declare function applyMiddleware(fetch: Transport, parts: readonly Part[], facts: object): Transport;
/** Calls an observer and ignores its errors, because they must not lose a billed result or end the process. */
export declare function notify<Event>(observer: ((event: Event) => unknown) | undefined, event: Event): Promise<void>;
export declare function notifyAll(parts: readonly Part[], name: Exclude<keyof Part, 'middleware'>, event: object): void;
export declare const addParts: <Added extends Part | AnyMiddleware>(parts: Part[]) => (...added: readonly Added[]) => void;
/** A function that receives the lines of the debug log, or true for `console.debug`. */
export type Debug = boolean | ((line: string) => void);
type LogFacts = {
    readonly operation: string;
    readonly model?: string;
    readonly jobId?: string;
};
type DebugLog = ObserversOf<LogFacts, RequestEventOf<LogFacts>, ResponseEventOf<LogFacts>, Error>;
/** Creates observers that log each attempt, wait and end. Their events contain no bodies and no credentials. */
export declare function createDebugLog(client: string, debug: Debug): DebugLog;
export {};
