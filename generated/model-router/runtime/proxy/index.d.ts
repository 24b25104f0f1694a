/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Secret } from '../http/credential.js';
/** Operations by method and by path after `/v2/models`; `*` matches any segment. */
declare const operations: readonly [readonly ["listModels", "GET"], readonly ["readModel", "GET", "*", "*"], readonly ["runModel", "POST", "*", "*"], readonly ["readModelSchema", "GET", "*", "*", "openapi.json"], readonly ["submitRequest", "POST", "*", "*", "requests"], readonly ["collectRequest", "GET", "*", "*", "requests", "*"], readonly ["readRequestStatus", "GET", "*", "*", "requests", "*", "status"], readonly ["cancelRequest", "PUT", "*", "*", "requests", "*", "cancel"]];
export type ProxyOperation = (typeof operations)[number][0];
export type ProxyCall = {
    readonly operation: ProxyOperation;
    /** True for `runModel` and `submitRequest`, which start a billed run. */
    readonly startsRun: boolean;
    /** `provider/model`; undefined for `listModels`. */
    readonly model: string | undefined;
    /** Id of the queued request; undefined for other calls. */
    readonly requestId: string | undefined;
    readonly user: string;
    readonly request: Request;
};
export type ProxyOptions = {
    /** Models that pages may call, as ids or generated models. `'all'` also allows listing the catalog. */
    readonly models: 'all' | readonly (string | {
        readonly id: string;
    })[];
    /** Returns the id of the signed-in user. Return undefined or null to respond with a 401 if no user is signed in. */
    readonly findUser: (request: Request) => string | null | undefined | Promise<string | null | undefined>;
    /** Called before each call is sent. Return true to send it, false to respond with a 403, or a `Response`, for example a 429. */
    readonly authorize?: (call: ProxyCall) => boolean | Response | Promise<boolean | Response>;
    /** Base URL of the router. Default: the variable `MODEL_ROUTER_URL`. */
    readonly baseUrl?: string;
    /** API key of the server. Default: the variable `MODEL_ROUTER_API_KEY`, unless `token` is set. */
    readonly apiKey?: Secret;
    /** Bearer token of the server, in place of an API key. Default: the variable `MODEL_ROUTER_TOKEN`, if there is no key. */
    readonly token?: Secret;
    /** Header that carries the API key. Default: `X-API-Key`. */
    readonly apiKeyHeader?: string;
    /** Path in front of `/v2` that the page uses for this handler, for example `/api`. Default: none. */
    readonly basePath?: string;
    /** Maximum size of a request body in bytes; a larger one gets a 413. Default: 10 MiB. */
    readonly maxRequestBytes?: number;
    /** Milliseconds until the router must start to respond. Default: 11 minutes, because it may hold a run for ten. */
    readonly timeoutMs?: number;
    /** Replaces the platform's `fetch`. */
    readonly fetch?: FetchFunction;
};
export type ProxyHandler = (request: Request) => Promise<Response>;
type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;
/**
 * Creates a handler that forwards the calls of a page with the server's own credential, not the page's. Idempotency keys
 * are bound to the user. If the page disconnects, its run continues, and the same key collects it.
 */
export declare function createModelRouterProxy(options: ProxyOptions): ProxyHandler;
export {};
