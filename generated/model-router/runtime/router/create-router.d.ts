/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type ClientOptions } from '../http/call.js';
import { type Secret } from '../http/credential.js';
import { type KeyStore } from './key-store.js';
import { type LimitOptions } from './limits.js';
import type { RouterObservers } from './observers.js';
import type { RouterClient } from './router-types.js';
export type ModelRouterOptions = ClientOptions<RouterObservers> & {
    /** Without `/v2`; `MODEL_ROUTER_URL` of the environment by default. */
    readonly baseUrl?: string | undefined;
    /** Sent in the header of API keys; `MODEL_ROUTER_API_KEY` of the environment where neither this nor `token` is given. */
    readonly apiKey?: Secret | undefined;
    /**
     * Sent as `Authorization: Bearer`. A function is asked once for each call, and again where the service answers 401. Nobody knows whose a
     * later token is, so another process resumes calls of such a client only where both have the same `credentialScope`.
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
    /** Origins besides the base address's own whose handle addresses get the credential. */
    readonly trustedOrigins?: readonly string[] | undefined;
    /**
     * A router behind a gateway gives handles addresses of its own origin. `map`, the default, asks for its paths at `baseUrl`;
     * `follow` refuses other origins.
     */
    readonly addresses?: 'map' | 'follow' | undefined;
    readonly limits?: LimitOptions | undefined;
    /**
     * How long a call may wait for `Retry-After` or for a slot before it is admitted; 10 minutes by default.
     * Longer waits that are asked for end it at once.
     */
    readonly maxWaitMs?: number | undefined;
    /** For one attempt of a run; 11 minutes by default, since the service may hold a call for ten. */
    readonly runTimeoutMs?: number | undefined;
    /** Of one body, 256 MiB by default; a longer one is an error that keeps its key. A stream has no such limit. */
    readonly maxResponseBytes?: number | undefined;
    /** How long an output that is read as a stream may give no bytes, or may wait for its first reader; a minute by default. */
    readonly idleTimeoutMs?: number | undefined;
};
/** What a package was generated with. */
export type RouterFacts = {
    /** The word in header names for which the API documents write Service. */
    readonly brand: string;
    readonly apiKeyHeader: string;
};
/** The factory that a package exports. */
export declare function createModelRouterFor<Models>(facts: RouterFacts): (options?: ModelRouterOptions) => RouterClient<Models>;
