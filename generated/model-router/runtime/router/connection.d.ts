/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Call, type Client } from '../http/call.js';
import { type CallIdentity } from './failures.js';
import { type KeyStore } from './key-store.js';
import { type Limits } from './limits.js';
import type { ModelRouterOptions } from './options.js';
/** The state of a router, resolved from its options. */
export type Connection = Client<CallIdentity> & {
    /** Origins that may receive the credential, the base address's own included. */
    readonly trustedOrigins: ReadonlySet<string>;
    /** True where the router's own path at another origin is requested at the base address. */
    readonly mapsAddresses: boolean;
    /** The word in header names for which the API documents write Service, in lower case. */
    readonly brand: string;
    readonly limits: Limits;
    readonly keys: KeyStore;
    /** True for the memory of the client itself, for which nothing has to be bounded. */
    readonly hasOwnKeys: boolean;
    /** Where a call without a key of its own takes up an equal one; nowhere by default. */
    readonly recoverScope: string | undefined;
    /** How long one attempt of a run may take; above the ten minutes that the router holds a call (MR-LIM-10). */
    readonly runTimeoutMs: number;
    readonly options: ModelRouterOptions;
    readonly facts: RouterFacts;
};
/** One call of a method of a router. */
export type RouterCall = Call<Connection>;
/**
 * The member of a router that holds its connection, for the functions of the other entry points. Named in the whole program, which may
 * hold two copies of a package.
 */
export declare const connectionOf: unique symbol;
/** A router, as far as the functions of the other entry points need it. `Models` are the inputs and outputs by model id. */
export type RouterOf<Models> = {
    readonly [connectionOf]: Connection & {
        readonly models?: Models;
    };
};
/** Facts of the API that a package was generated with. */
export type RouterFacts = {
    /** The word in header names for which the API documents write Service. */
    readonly brand: string;
    readonly apiKeyHeader: string;
};
export declare function connect(options: ModelRouterOptions, facts: RouterFacts): Connection;
