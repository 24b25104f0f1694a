/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Secret } from '../http/credential.js';
export type ProxyOperation = 'listModels' | 'readModel' | 'readModelSchema' | 'runModel' | 'submitRequest' | 'collectRequest' | 'readRequestStatus' | 'cancelRequest';
/** One call of a page, before it is sent to the router. */
export type ProxyCall = {
    readonly operation: ProxyOperation;
    /** True for `runModel` and `submitRequest`, which start a run that is billed. */
    readonly startsRun: boolean;
    /** `provider/model`; undefined for `listModels`. */
    readonly model: string | undefined;
    /** Id of the queued request; undefined for calls that don't name one. */
    readonly requestId: string | undefined;
    /** The user that `findUser` returned. */
    readonly user: string;
    readonly request: Request;
};
export type ProxyOptions = {
    /** Models that pages may call, as ids or generated models. `'all'` also allows listing the catalog. */
    readonly models: 'all' | readonly (string | {
        readonly id: string;
    })[];
    /** Returns an id of the signed-in user, or undefined when nobody is signed in: the page then gets a 401. */
    readonly findUser: (request: Request) => string | undefined | Promise<string | undefined>;
    /**
     * Called before each call is sent. Return false to answer 403, or a `Response` to answer it yourself, for example with
     * a 429 for a user who has reached a limit.
     */
    readonly authorize?: (call: ProxyCall) => boolean | Response | Promise<boolean | Response>;
    /** Address of the router. Default: the variable `MODEL_ROUTER_URL`. */
    readonly baseUrl?: string;
    /** API key of the server. Default: the variable `MODEL_ROUTER_API_KEY`, unless `token` is set. */
    readonly apiKey?: Secret;
    /** Bearer token of the server, in place of an API key. Default: the variable `MODEL_ROUTER_TOKEN`, if there is no key. */
    readonly token?: Secret;
    /** Header that carries the API key. Default: `X-API-Key`. */
    readonly apiKeyHeader?: string;
    /** Path in front of `/v2` under which the page reaches this handler, for example `/api`. Default: none. */
    readonly basePath?: string;
    /** Largest request body in bytes. Default: 10 MiB. A larger one is answered with 413. */
    readonly maxRequestBytes?: number;
    /** Time in milliseconds that the router has to answer. Default: 11 minutes, since it may hold a run for ten. */
    readonly timeoutMs?: number;
    /** A `fetch` to use in place of the platform's. */
    readonly fetch?: Send;
};
/** `Request → Response`, as Next.js, Hono, Deno, Bun and service workers call handlers. */
export type ProxyHandler = (request: Request) => Promise<Response>;
type Send = (url: string, init: RequestInit) => Promise<Response>;
/**
 * Creates a handler that forwards the calls of a page to the router with the server's own credential.
 *
 * Only operations of the Model Router API on the allowed models are forwarded. Credentials and cookies of the page are
 * not. Idempotency keys are bound to the user, so one user's key never finds the run of another. A page that
 * disconnects ends the waiting of this handler, not the run: the same key collects the result.
 *
 * Throws a `TypeError` for options that cannot work.
 */
export declare function createModelRouterProxy(options: ProxyOptions): ProxyHandler;
export {};
