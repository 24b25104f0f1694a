/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { CallOptions, ClientOptions } from '../http/call.js';
import type { Secret } from '../http/credential.js';
import type { EndEventOf, MiddlewareOf, ObserversOf, OutgoingOf, PartOf, RequestEventOf, ResponseEventOf, RetryEventOf } from '../http/observers.js';
import type { KeyStore } from './key-store.js';
import type { LimitOptions } from './limits.js';
import type { ResponseFacts } from './response-facts.js';
import type { FieldFailure, RouterError, RouterOperation } from './router-error.js';
export type ModelRouterOptions = ClientOptions<RouterObservers> & {
    /** Without `/v2`; `MODEL_ROUTER_URL` of the environment by default. */
    readonly baseUrl?: string | undefined;
    /** Sent in the header of API keys; `MODEL_ROUTER_API_KEY` of the environment where neither this nor `token` is given. */
    readonly apiKey?: Secret | undefined;
    /**
     * Sent as `Authorization: Bearer`. A function is called once for each call, and again after a 401. A later token may have another
     * owner, so another process resumes calls of such a client only where both have the same `credentialScope`.
     */
    readonly token?: Secret | undefined;
    /**
     * Names the owner of the credential, such as a workspace. Clients of one scope may resume each other's calls of a key store, also after
     * the credential was replaced. Without it, only clients with the same fixed credential may.
     */
    readonly credentialScope?: string | undefined;
    /** Remembers billed calls until their outcome is known; in memory by default, which does not survive the process. */
    readonly keyStore?: KeyStore | undefined;
    /**
     * For a worker of one tenant: a call without an `idempotencyKey` takes up an earlier equal one of the same `scope` whose outcome is
     * unknown, unless its caller aborted it. Off by default: every call is a new run then.
     */
    readonly recoverEqualCalls?: {
        readonly scope: string;
    } | undefined;
    /** Origins other than that of `baseUrl` whose handle addresses get the credential. */
    readonly trustedOrigins?: readonly string[] | undefined;
    /**
     * A router behind a gateway gives handles addresses of its own origin. `map`, the default, requests its paths at `baseUrl`;
     * `follow` refuses other origins.
     */
    readonly addresses?: 'map' | 'follow' | undefined;
    readonly limits?: LimitOptions | undefined;
    /**
     * How long a call may wait for `Retry-After` or for a slot before it is admitted; 10 minutes by default.
     * A longer wait that the service asks for ends it at once.
     */
    readonly maxWaitMs?: number | undefined;
    /** For one attempt of a run; 11 minutes by default, since the service may hold a call for ten. */
    readonly runTimeoutMs?: number | undefined;
    /** For one body, 256 MiB by default; a longer one is an error that keeps its key. A stream has no such limit. */
    readonly maxResponseBytes?: number | undefined;
    /** How long an output that is read as a stream may give no bytes, or may wait for its first reader; a minute by default. */
    readonly idleTimeoutMs?: number | undefined;
};
export type KeyOptions = {
    /**
     * Names the run: the same call with the same key finds it again, also after a crash and from another process with the same key store.
     * 1 to 255 visible ASCII characters. Without it, every call is a new run under a key of its own. `false` sends no key, and then
     * nothing is ever repeated.
     */
    readonly idempotencyKey?: string | false | undefined;
};
export type SettleOptions = {
    /**
     * Keeps the call in `pending()` until the result's `settle()` is called, so that a crash before you have stored the result
     * loses nothing.
     */
    readonly settle?: 'manual' | undefined;
};
/** Left out: `data` is the output. `stream`: a stream of bytes; a break in it is the caller's to handle. */
export type As = 'stream' | undefined;
export type OutputOptions<Given extends As = As> = SettleOptions & {
    readonly as?: Given;
};
export type SubmitOptions = CallOptions & KeyOptions & {
    /** Checks the input before it is sent: the `validateInput` that the model's subpath exports. */
    readonly validate?: ValidateInput | undefined;
};
export type RunOptions<Given extends As = As> = SubmitOptions & OutputOptions<Given>;
/** Another provider of the same model. With `strictMode` its own input is sent, and its own output returned. */
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
/** One call of a method, with all that it sends. */
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
/** Functions that watch a client at work: a call, and within it the attempts. */
export type RouterObservers = ObserversOf<CallFacts, RequestEvent, ResponseEvent, RouterError>;
export type OutgoingRequest = OutgoingOf<RequestEvent>;
export type Middleware = MiddlewareOf<OutgoingRequest>;
export type RouterPart = PartOf<OutgoingRequest, RouterObservers>;
export {};
