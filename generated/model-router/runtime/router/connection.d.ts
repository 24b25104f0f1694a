/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Call, Client } from '../http/call.js';
import type { CallIdentity } from './failures.js';
import type { KeyStore } from './key-store.js';
import type { Limits } from './limits.js';
export type Connection = Client<CallIdentity> & {
    /** Origins that may receive the credential, the base address's own included. */
    readonly trustedOrigins: ReadonlySet<string>;
    /** Whether the router's own path at another origin is asked for at the base address. */
    readonly mapsAddresses: boolean;
    /** The word in header names for which the API documents write Service, in lower case. */
    readonly brand: string;
    readonly limits: Limits;
    readonly keys: KeyStore;
    /** Whether that is the memory of the client itself, for which nothing has to be bounded. */
    readonly hasOwnKeys: boolean;
    /** Where a call without a key of its own takes up an equal one; nowhere by default. */
    readonly recoverScope: string | undefined;
    /** How long one attempt of a run may take; above the ten minutes that the router holds a call (MR-LIM-10). */
    readonly runTimeoutMs: number;
};
/** One call of a method of a router. */
export type RouterCall = Call<Connection>;
