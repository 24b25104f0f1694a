import { isSegment, readBaseUrl, readOrigin, readVariable } from '../http/base-url.ts';
import { type Call, type Client, readClientOptions } from '../http/call.ts';
import { createCredential } from '../http/credential.ts';
import { createMemoryKeyStore, type KeyStore } from './key-store.ts';
import { createLimits, type Limits } from './limits.ts';
import type { ModelRouterOptions } from './options.ts';
import { type CallIdentity, createError, createLocalError } from './router-error.ts';

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

// `Symbol.for`, because a program may contain two copies of a package.
/** Member of a router that holds its connection, for functions in other entry points. */
export const connectionOf: unique symbol = Symbol.for('connection of a model router');

/** The part of a router that other entry points use. `Models` maps model ids to their input and output types. */
export type RouterOf<Models> = { readonly [connectionOf]: Connection & { readonly models?: Models } };

export type RouterFacts = {
  /** Word that replaces `Service` in the documented header names. */
  readonly brand: string;
  readonly apiKeyHeader: string;
};

/** Resolves the options of a router. Throws for invalid options. `caller`: name of the function that the program called. */
export function connect(options: ModelRouterOptions, facts: RouterFacts, caller = 'createModelRouter'): Connection {
  const {
    baseUrl: givenUrl = readVariable('MODEL_ROUTER_URL'),
    apiKey = options.token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined,
    token = apiKey ?? readVariable('MODEL_ROUTER_TOKEN'),
    credentialScope: scope,
    keyStore,
    trustedOrigins = [],
    addresses,
    limits = {},
    ...others
  } = options;
  const reject = (message: string): Error => new TypeError(`${caller}: ${message}`);
  if (givenUrl === undefined) throw reject('no base URL: set baseUrl or MODEL_ROUTER_URL');
  if (!token) throw reject('no credential: set apiKey, token or MODEL_ROUTER_API_KEY');
  if (options.apiKey !== undefined && options.token !== undefined) throw reject('set apiKey or token, not both');
  const baseUrl = readBaseUrl(givenUrl, '/v2', `${caller}: baseUrl`);
  const defaults = {
    maxAttempts: 4,
    runTimeoutMs: 660_000,
    maxWaitMs: 600_000,
    idleTimeoutMs: 60_000,
    maxResponseBytes: 256 * 1024 * 1024,
  };
  const shared = readClientOptions('model-router', defaults, others);
  const { clock } = shared;
  const header = apiKey === undefined ? 'Authorization' : facts.apiKeyHeader;
  return {
    ...shared,
    baseUrl,
    trustedOrigins: new Set([baseUrl, ...trustedOrigins].map((one) => readOrigin(one, `${caller}: trustedOrigins`))),
    mapsToBaseUrl: addresses !== 'follow',
    credential: createCredential({ header, secret: token, scope }),
    limits: createLimits(limits, clock),
    keys: keyStore ?? createMemoryKeyStore({ clock }),
    keysOfRequests: new Map(),
    fail: createError,
    options,
    facts: { ...facts, brand: facts.brand.toLowerCase() },
  };
}

export const splitId = (id: string): string[] => /^([^/]*)\/(.*)$/s.exec(id)?.slice(1) ?? [];

/** Returns the URL of the call's model. Throws a `local` error for an id that is not `provider/model`. */
export function buildModelUrl({ baseUrl }: Connection, call: CallIdentity & { readonly model: string }): string {
  const segments = splitId(call.model); // Required by MR-CAT-33.
  if (segments.length === 0 || !segments.every(isSegment) || call.model.length > 193)
    throw createLocalError(call, 'a model id must have the form provider/model');
  return `${baseUrl}/v2/models/${segments.map(encodeURIComponent).join('/')}`;
}

/** Returns a query string with its spec mark; empty without values. */
export function formatQuery(values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.append(name, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
