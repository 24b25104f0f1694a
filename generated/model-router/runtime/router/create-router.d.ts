/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Clock } from '../http/clock.js';
import { type Secret } from '../http/credential.js';
import { type Fetch } from '../http/send.js';
import { type KeyStore } from './key-store.js';
import { type LimitOptions } from './limits.js';
import type { RouterObservers } from './observers.js';
import type { RouterClient } from './router-types.js';
export type ModelRouterOptions = {
    /** Without `/v2`; `MODEL_ROUTER_URL` of the environment by default. */
    readonly baseUrl?: string;
    /** Sent in the header of API keys; `MODEL_ROUTER_API_KEY` of the environment where neither this nor `token` is given. */
    readonly apiKey?: Secret;
    /** Sent as `Authorization: Bearer`; a function is asked before every attempt. */
    readonly token?: Secret;
    /**
     * Names the owner of the credential, such as a workspace. Needed where tokens are renewed while calls are repeated:
     * all attempts of a key belong to one owner.
     */
    readonly credentialScope?: string;
    /** Remembers billed calls until their outcome is known; in memory by default, which does not survive the process. */
    readonly keyStore?: KeyStore;
    /** Origins besides the base address's own whose handle addresses get the credential. */
    readonly trustedOrigins?: readonly string[];
    readonly limits?: LimitOptions;
    readonly observers?: RouterObservers;
    /** @deprecated Use `observers`. */
    readonly hooks?: RouterObservers;
    /** Sent with every request. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Replaces the platform's `fetch`. */
    readonly fetch?: Fetch;
    /** How often a call is sent while its outcome is unclear or failed; 4 by default. Waits that the service asks for do not count. */
    readonly maxAttempts?: number;
    /** For one attempt of a run, in milliseconds; 11 minutes by default, since the service may hold a call for ten. */
    readonly runTimeoutMs?: number;
    /** Replaces time and chance in tests. */
    readonly clock?: Clock;
};
/** What a package was generated with. */
export type RouterFacts = {
    /** The word in header names for which the API documents write Service. */
    readonly brand: string;
    readonly apiKeyHeader: string;
};
/** The factory that a package exports. */
export declare function createModelRouterFor<Models>(facts: RouterFacts): (options?: ModelRouterOptions) => RouterClient<Models>;
