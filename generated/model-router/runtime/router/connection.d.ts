/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Call, type Client } from '../http/call.js';
import { type KeyStore } from './key-store.js';
import { type Limits } from './limits.js';
import type { ModelRouterOptions } from './options.js';
import { type CallIdentity } from './router-error.js';
export type Connection = Client<CallIdentity> & {
    /** Origins that may receive the credential, including that of the base URL. */
    readonly trustedOrigins: ReadonlySet<string>;
    /** True to use the base URL instead of a URL at a different origin, if its path is documented. */
    readonly mapsToBaseUrl: boolean;
    readonly limits: Limits;
    readonly keys: KeyStore;
    /** Keys of the queued requests that this router has submitted. */
    readonly keysOfRequests: Map<string, string>;
    readonly idleTimeoutMs: number;
    readonly runTimeoutMs: number;
    readonly options: ModelRouterOptions;
    readonly facts: RouterFacts;
};
export type RouterCall = Call<Connection>;
/** Member of a router that holds its connection, for functions in other entry points. */
export declare const connectionOf: unique symbol;
/** The part of a router that other entry points use. `Models` maps model ids to their input and output types. */
export type RouterOf<Models> = {
    readonly [connectionOf]: Connection & {
        readonly models?: Models;
    };
};
export type RouterFacts = {
    /** Word that replaces `Service` in the documented header names. */
    readonly brand: string;
    readonly apiKeyHeader: string;
};
/** Resolves the options of a router. Throws for invalid options. `caller`: name of the function that the program called. */
export declare function connect(options: ModelRouterOptions, facts: RouterFacts, caller?: string): Connection;
export declare const splitId: (id: string) => string[];
/** Returns the URL of the call's model. Throws a `local` error for an id that is not `provider/model`. */
export declare function buildModelUrl({ baseUrl }: Connection, call: CallIdentity & {
    readonly model: string;
}): string;
/** Returns a query string with its spec mark; empty without values. */
export declare function formatQuery(values: Readonly<Record<string, string | undefined>>): string;
