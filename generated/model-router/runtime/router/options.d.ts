/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { CallOptions, ClientOptions } from '../http/call.js';
import type { Secret } from '../http/credential.js';
import type { EndEventOf, MiddlewareOf, ObserversOf, OutgoingOf, PartOf, RequestEventOf, ResponseEventOf, RetryEventOf } from '../http/observers.js';
import type { KeyStore } from './key-store.js';
import type { LimitOptions } from './limits.js';
import type { ResponseFacts } from './response-facts.js';
import type { FieldFailure, RouterError, RouterOperation } from './router-error.js';
export type ModelRouterOptions = ClientOptions<RouterObservers> & {
    /** Base URL without `/v2`. Default: the variable `MODEL_ROUTER_URL`. */
    readonly baseUrl?: string | undefined;
    /** Sent in the API key header. Default: the variable `MODEL_ROUTER_API_KEY`, unless `token` is set. */
    readonly apiKey?: Secret | undefined;
    /**
     * Sent as `Authorization: Bearer`. A function is called once for each call, and again after a 401. If it is a function,
     * another process can resume this client's calls only if both have the same `credentialScope`.
     */
    readonly token?: Secret | undefined;
    /**
     * Identifies the owner of the credential, such as a workspace. Clients with the same scope can resume each other's
     * calls, even with different credentials. Default: clients with the same fixed credential can.
     */
    readonly credentialScope?: string | undefined;
    /** Keeps billed calls until their outcome is known. Default: in memory, which is lost with the process. */
    readonly keyStore?: KeyStore | undefined;
    /** Origins that requests for queued runs may be sent to, in addition to that of `baseUrl`. */
    readonly trustedOrigins?: readonly string[] | undefined;
    /**
     * Behind a gateway, URLs of queued runs may have the origin of the router. `map` requests their paths at
     * `baseUrl`; `follow` rejects other origins. Default: `map`.
     */
    readonly addresses?: 'map' | 'follow' | undefined;
    readonly limits?: LimitOptions | undefined;
    /** Maximum wait before a call is admitted; a longer `Retry-After` fails at once. Default: 10 minutes. */
    readonly maxWaitMs?: number | undefined;
    /** Timeout of one attempt of a run. Default: 11 minutes, because the service may hold a call for ten. */
    readonly runTimeoutMs?: number | undefined;
    /**
     * Maximum body size. A larger body fails the call; its key still finds the result. Not for streams. Default: 256 MiB.
     */
    readonly maxResponseBytes?: number | undefined;
    /** Maximum time in which a stream sends no byte, or until you start to read it. Default: one minute. */
    readonly idleTimeoutMs?: number | undefined;
};
export type KeyOptions = {
    /**
     * Identifies the run: the same call with the same key gets the same result, even after a crash. 1 to 255 visible ASCII
     * characters. Default: a random key, which starts a new run. `false` sends no key and never retries.
     */
    readonly idempotencyKey?: string | false | undefined;
};
export type SettleOptions = {
    /** Keeps the call pending until you call `settle()` on the result, so that a crash before storing it loses nothing. */
    readonly settle?: 'manual' | undefined;
};
/** Default: `data` is the output. `stream`: `data` is a stream of bytes, whose errors you must handle. */
export type As = 'stream' | undefined;
export type OutputOptions<Given extends As = As> = SettleOptions & {
    readonly as?: Given;
};
export type SubmitOptions = CallOptions & KeyOptions & {
    /** Validates the input before it is sent. Pass the model's `validateInput`. */
    readonly validate?: ValidateInput | undefined;
};
export type RunOptions<Given extends As = As> = SubmitOptions & OutputOptions<Given>;
/** Runs the model at a different provider. With `strictMode`, input and output have that provider's format. */
export type ProviderOptions<Provider = string | undefined, Fallback = string | undefined, Strict = boolean | undefined> = {
    readonly modelProvider?: Provider;
    readonly fallbackProvider?: Fallback;
    readonly strictMode?: Strict;
};
export type ValidateInput = (input: unknown) => {
    readonly valid: true;
} | {
    readonly valid: false;
    readonly detail: readonly FieldFailure[];
};
type CallFacts = {
    readonly operation: RouterOperation;
    readonly model: string | undefined;
};
type RequestFacts = CallFacts & {
    readonly idempotencyKey: string | undefined;
};
export type CallEvent = CallFacts & {
    readonly callId: string;
};
export type CallEndEvent = EndEventOf<CallFacts, RouterError>;
export type RequestEvent = RequestEventOf<RequestFacts>;
export type ResponseEvent = ResponseEventOf<RequestFacts> & {
    readonly facts: ResponseFacts | undefined;
};
export type RetryEvent = RetryEventOf<ResponseEvent>;
/** Callbacks for each call and each attempt. */
export type RouterObservers = ObserversOf<CallFacts, RequestEvent, ResponseEvent, RouterError>;
export type OutgoingRequest = OutgoingOf<RequestEvent>;
export type Middleware = MiddlewareOf<OutgoingRequest>;
export type RouterPart = PartOf<OutgoingRequest, RouterObservers>;
export {};
