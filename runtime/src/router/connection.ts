import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.ts';
import { type Call, type Client, readClientOptions } from '../http/call.ts';
import { createCredential } from '../http/credential.ts';
import { createPatientFetch } from '../http/patient-fetch.ts';
import { type CallIdentity, fail } from './failures.ts';
import { createMemoryKeyStore, type KeyStore } from './key-store.ts';
import { createLimits, type Limits } from './limits.ts';
import type { ModelRouterOptions } from './options.ts';

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
export const connectionOf: unique symbol = Symbol.for('connection of a model router');

/** A router, as far as the functions of the other entry points need it. `Models` are the inputs and outputs by model id. */
export type RouterOf<Models> = { readonly [connectionOf]: Connection & { readonly models?: Models } };

/** Facts of the API that a package was generated with. */
export type RouterFacts = {
  /** The word in header names for which the API documents write Service. */
  readonly brand: string;
  readonly apiKeyHeader: string;
};

export function connect(options: ModelRouterOptions, facts: RouterFacts): Connection {
  const {
    baseUrl: address = readVariable('MODEL_ROUTER_URL'),
    apiKey = options.token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined,
    token = apiKey ?? readVariable('MODEL_ROUTER_TOKEN'),
    credentialScope: scope,
    keyStore,
    trustedOrigins = [],
    addresses,
    recoverEqualCalls,
    fetch,
    limits = {},
    ...others
  } = options;
  if (address === undefined) throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
  if (token === undefined) throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
  if (apiKey === '' || token === '') throw misconfigured(`${apiKey === '' ? 'apiKey' : 'token'} is empty`);
  if (recoverEqualCalls !== undefined && !recoverEqualCalls.scope)
    throw misconfigured('recoverEqualCalls needs a scope');
  if (options.apiKey !== undefined && options.token !== undefined)
    throw misconfigured('give apiKey or token, not both');
  const baseUrl = readBaseUrl(address, '/v2', 'createModelRouter');
  const minute = 60_000;
  const usual = {
    maxAttempts: 4,
    runTimeoutMs: 11 * minute,
    maxWaitMs: 10 * minute,
    idleTimeoutMs: minute,
    maxResponseBytes: 256 * 1024 * 1024,
  };
  const shared = readClientOptions('model-router', usual, others);
  if (!((limits.requestsInFlight ?? 1) >= 1)) throw misconfigured('limits.requestsInFlight must be a positive number');
  return {
    ...shared,
    baseUrl,
    trustedOrigins: new Set(
      [baseUrl, ...trustedOrigins].map((one) => readOrigin(one, 'createModelRouter: one of trustedOrigins')),
    ),
    mapsAddresses: addresses !== 'follow',
    brand: facts.brand.toLowerCase(),
    credential: createCredential({
      header: apiKey === undefined ? 'Authorization' : facts.apiKeyHeader,
      secret: token,
      scope,
    }),
    fetch: fetch ?? createPatientFetch(),
    limits: createLimits(limits, shared.clock),
    keys: keyStore ?? createMemoryKeyStore({ clock: shared.clock }),
    hasOwnKeys: keyStore === undefined,
    recoverScope: recoverEqualCalls?.scope,
    fail,
    options,
    facts,
  };
}

function misconfigured(message: string): Error {
  return new TypeError(`createModelRouter: ${message}`);
}
