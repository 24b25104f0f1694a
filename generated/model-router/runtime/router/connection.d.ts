/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type Call, type Client } from '../http/call.js';
import { type CallIdentity } from './failures.js';
import { type KeyStore } from './key-store.js';
import { type Limits } from './limits.js';
import type { ModelRouterOptions } from './options.js';
/** The state of a router, resolved from its options. */
export type Connection = Client<CallIdentity> & {
    /** Origins that may receive the credential, including that of the base address. */
    readonly trustedOrigins: ReadonlySet<string>;
    /** True: a documented path at another origin is requested at the base address. */
    readonly mapsAddresses: boolean;
    /** Replaces the word service in header names; in lower case. */
    readonly brand: string;
    readonly limits: Limits;
    readonly keys: KeyStore;
    /** True for the store in memory, whose answers need no timeout. */
    readonly hasOwnKeys: boolean;
    /** Longer than the ten minutes for which the router holds a call. */
    readonly runTimeoutMs: number;
    readonly options: ModelRouterOptions;
    readonly facts: RouterFacts;
};
/** One call of a router. */
export type RouterCall = Call<Connection>;
/** The member of a router with its connection, for the functions of other entry points. A program may have two copies of a package. */
export declare const connectionOf: unique symbol;
/** The part of a router that functions of other entry points need. `Models` has inputs and outputs by model id. */
export type RouterOf<Models> = {
    readonly [connectionOf]: Connection & {
        readonly models?: Models;
    };
};
/** Facts of the API that a package was generated with. */
export type RouterFacts = {
    /** Replaces the word Service of the API documents in header names. */
    readonly brand: string;
    readonly apiKeyHeader: string;
};
/** Resolves the options of a router. Throws for options that cannot work. */
export declare function connect(options: ModelRouterOptions, facts: RouterFacts): Connection;
