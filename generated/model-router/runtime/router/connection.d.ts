/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Clock } from '../http/clock.js';
import type { Credential } from '../http/credential.js';
import type { Transport } from '../http/send.js';
import type { KeyStore } from './key-store.js';
import type { Limits } from './limits.js';
import type { Middleware } from './middleware.js';
import type { RouterObservers } from './observers.js';
import type { RetryBudget } from './retry-budget.js';
/** What every call of one client shares; resolved once from its options. */
export type Connection = {
    /** Without a slash at its end, and without `/v2`. */
    readonly baseUrl: string;
    /** Origins that may receive the credential, the base address's own included. */
    readonly trustedOrigins: ReadonlySet<string>;
    /** Whether the router's own path at another origin is asked for at the base address. */
    readonly mapsAddresses: boolean;
    /** The word in header names for which the API documents write Service, in lower case. */
    readonly brand: string;
    readonly credential: Credential;
    readonly headers: Readonly<Record<string, string>>;
    readonly fetch: Transport;
    readonly clock: Clock;
    readonly limits: Limits;
    /** Grow with what the program adds later. */
    readonly observers: RouterObservers[];
    readonly middleware: Middleware[];
    /** Of the call that is being made; empty outside of one. */
    readonly callId: string;
    readonly maxAttempts: number;
    /** How long a call may wait before it is admitted, by default. */
    readonly maxWaitMs: number;
    readonly budget: RetryBudget;
    /** How long one attempt of a run may take; above the ten minutes that the router holds a call (MR-LIM-10). */
    readonly runTimeoutMs: number;
    /** More of a body is not read. */
    readonly maxResponseBytes: number;
    /** How long a stream may give nothing. */
    readonly idleTimeoutMs: number;
};
/** A client at work: what its calls share, and its keys. */
export type Session = {
    readonly connection: Connection;
    readonly keys: KeyStore;
};
