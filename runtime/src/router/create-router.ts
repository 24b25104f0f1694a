import { nameAgent, readBaseUrl, readOrigin, readVariable } from '../http/base-url.ts';
import { type Clock, systemClock } from '../http/clock.ts';
import { type CredentialSource, createCredential, type Secret } from '../http/credential.ts';
import { takeParts } from '../http/middleware.ts';
import { createPatientFetch } from '../http/patient-fetch.ts';
import type { Transport } from '../http/send.ts';
import { settled } from '../http/settled.ts';
import { startDeadline } from './call.ts';
import type { CallOptions } from './call-options.ts';
import { type CatalogModel, listModels, readModel, readSchema } from './catalog.ts';
import type { Connection, Session } from './connection.ts';
import { storeFailure } from './failures.ts';
import { createMemoryKeyStore, type KeyStore } from './key-store.ts';
import { createLimits, type LimitOptions } from './limits.ts';
import { buildAddresses } from './model-address.ts';
import { toModel } from './model-facts.ts';
import type { RouterObservers } from './observers.ts';
import { run, submit, subscribe } from './operations.ts';
import { createHandle } from './queued-request.ts';
import { resume } from './resume.ts';
import { createRetryBudget } from './retry-budget.ts';
import { isRouterError, type QueuedAddresses } from './router-error.ts';
import type { AnyModel, RouterClient } from './router-types.ts';
import { checkOptions, namesKey, watchCall } from './watch-call.ts';

export type ModelRouterOptions = {
  /** Without `/v2`; `MODEL_ROUTER_URL` of the environment by default. */
  readonly baseUrl?: string | undefined;
  /** Sent in the header of API keys; `MODEL_ROUTER_API_KEY` of the environment where neither this nor `token` is given. */
  readonly apiKey?: Secret | undefined;
  /** Sent as `Authorization: Bearer`; a function is asked before every attempt. */
  readonly token?: Secret | undefined;
  /**
   * Names the owner of the credential, such as a workspace. Needed where tokens are renewed while calls are repeated:
   * all attempts of a key belong to one owner.
   */
  readonly credentialScope?: string | undefined;
  /** Remembers billed calls until their outcome is known; in memory by default, which does not survive the process. */
  readonly keyStore?: KeyStore | undefined;
  /** Origins besides the base address's own whose handle addresses get the credential. */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * A router behind a gateway gives handles addresses of its own origin. `map`, the default, asks for its paths at `baseUrl`;
   * `follow` refuses other origins.
   */
  readonly addresses?: 'map' | 'follow' | undefined;
  readonly limits?: LimitOptions | undefined;
  readonly observers?: RouterObservers | undefined;
  /** @deprecated Use `observers`. */
  readonly hooks?: RouterObservers | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the platform's `fetch`, and is called as that is: with an address and options. */
  readonly fetch?: Transport | undefined;
  /** How often a call is sent while its outcome is unclear or failed; 4 by default. Waits that the service asks for do not count. */
  readonly maxAttempts?: number | undefined;
  /**
   * How long a call may wait for `Retry-After` or for a slot before it is admitted, in milliseconds; 10 minutes by default.
   * Longer waits that are asked for end it at once.
   */
  readonly maxWaitMs?: number | undefined;
  /** For one attempt of a run, in milliseconds; 11 minutes by default, since the service may hold a call for ten. */
  readonly runTimeoutMs?: number | undefined;
  /** Of one body, 256 MiB by default; a longer one is an error that keeps its key. A stream has no such limit. */
  readonly maxResponseBytes?: number | undefined;
  /** How long an output that is read as a stream may give no bytes, in milliseconds; a minute by default. */
  readonly idleTimeoutMs?: number | undefined;
  /** Replaces time and chance in tests. */
  readonly clock?: Clock | undefined;
};

/** What a package was generated with. */
export type RouterFacts = {
  /** The word in header names for which the API documents write Service. */
  readonly brand: string;
  readonly apiKeyHeader: string;
};

/** The factory that a package exports. */
export function createModelRouterFor<Models>(
  facts: RouterFacts,
): (options?: ModelRouterOptions) => RouterClient<Models> {
  return (options = {}) => {
    const connection = connect(options, facts);
    const session = { connection, keys: options.keyStore ?? createMemoryKeyStore() };
    const router = createMethods(session);
    // The types of inputs and outputs exist at compile time only.
    const safe = safely(router);
    return { ...router, untyped: router, safe: { ...safe, untyped: safe } } as unknown as RouterClient<Models>;
  };
}

const submitTakes = 'key fresh validate';
const outputTakes = 'as settle';

function createMethods(session: Session) {
  const { connection, keys } = session;
  const read = (options: CallOptions, from = connection) => startDeadline(options, from, 5 * 60_000);
  const onModel =
    <Options extends CallOptions, Result>(
      operation: 'run' | 'submit' | 'subscribe',
      takes: string,
      work: (inner: Session, target: string | AnyModel, input: unknown, options?: Options) => Promise<Result>,
    ) =>
    async (target: string | AnyModel, input: unknown, options?: Options) => {
      const invocation = { operation, model: toModel(target).id, options, takes };
      return watchCall(session, invocation, (inner) => work(inner, target, input, options));
    };
  return {
    run: onModel('run', `${submitTakes} ${outputTakes} modelProvider fallbackProvider strictMode`, run),
    submit: onModel('submit', submitTakes, submit),
    subscribe: onModel('subscribe', `${submitTakes} ${outputTakes} pollEvery onStatus cancelOnAbort`, subscribe),
    resume: async (call: Parameters<typeof resume>[1], options?: Parameters<typeof resume>[2]) => {
      const invocation = { operation: 'resume', model: call.model, options, takes: 'pollEvery settle model' } as const;
      return watchCall(session, invocation, (inner) => resume(inner, call, options));
    },
    queued: (target: string | AnyModel, request: QueuedAddresses | string) => {
      const { id: model } = toModel(target);
      const addresses = typeof request === 'string' ? buildAddresses(connection.baseUrl, model, request) : request;
      return createHandle({ model, addresses }, session, false);
    },
    models: (options: CallOptions & { limit?: number } = {}) => {
      checkOptions({ operation: 'models', options, takes: 'limit' });
      const whole = read(options);
      // Without a deadline each page has its own: what a program does with an entry may take longer.
      const startPage = () => (options.deadlineMs === undefined ? read(options) : whole);
      return listModels({ limit: options.limit, startPage }, connection);
    },
    model: async (id: string, options: CallOptions = {}) =>
      watchCall(session, { operation: 'model', model: id, options }, ({ connection: from }) =>
        readModel(id, read(options, from), from),
      ),
    schema: async (id: string, options: CallOptions & { etag?: string } = {}) =>
      watchCall(session, { operation: 'schema', model: id, options, takes: 'etag' }, ({ connection: from }) =>
        readSchema(id, { etag: options.etag, time: read(options, from) }, from),
      ),
    use: takeParts(connection),
    pending: () =>
      keys.pending().catch((cause: unknown) => {
        throw storeFailure({ operation: 'pending' }, 'the key store cannot be read', cause);
      }),
    forget: (key: string) =>
      keys.finish(key).catch((cause: unknown) => {
        throw storeFailure({ operation: 'pending', key }, 'the key store cannot be changed', cause);
      }),
  };
}

/** The methods with their errors as values. What is a list has a name in its result. */
function safely({ queued, models, pending, forget, use: _, ...router }: ReturnType<typeof createMethods>) {
  const methods = {
    ...router,
    queued: async (...args: Parameters<typeof queued>) => queued(...args),
    models: async (...args: Parameters<typeof models>) => {
      const all: CatalogModel[] = [];
      for await (const model of models(...args)) all.push(model);
      return { models: all };
    },
    pending: async () => ({ calls: await pending() }),
    forget: async (key: string) => {
      await forget(key);
      return {};
    },
  };
  return settled(methods, isRouterError);
}

function connect(options: ModelRouterOptions, { brand, apiKeyHeader }: RouterFacts): Connection {
  const address = options.baseUrl ?? readVariable('MODEL_ROUTER_URL');
  if (address === undefined) throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
  const checked = readBaseUrl(address, '/v2');
  if ('mistake' in checked) throw misconfigured(checked.mistake);
  const { baseUrl } = checked;
  const trustedOrigins = new Set([baseUrl, ...(options.trustedOrigins ?? [])].map(checkedOrigin));
  if (namesKey(options.headers ?? {}))
    throw misconfigured('a key belongs to one call: give it as the option key of that call');
  if (options.apiKey !== undefined && options.token !== undefined)
    throw misconfigured('give apiKey or token, not both');
  const {
    clock = systemClock,
    limits = {},
    maxAttempts = 4,
    runTimeoutMs = 11 * 60_000,
    maxWaitMs = 10 * 60_000,
    maxResponseBytes = 256 * 1024 * 1024,
    idleTimeoutMs = 60_000,
  } = options;
  // Not a number would compare as false everywhere: no attempt would be the last one.
  const { concurrency = 1 } = limits;
  const least = Math.min(concurrency, maxAttempts, maxResponseBytes);
  if (!(least >= 1 && runTimeoutMs > 0 && idleTimeoutMs > 0 && maxWaitMs >= 0))
    throw misconfigured(
      'limits.concurrency, maxAttempts, maxResponseBytes, runTimeoutMs and idleTimeoutMs are at least 1, maxWaitMs at least 0',
    );
  return {
    baseUrl,
    trustedOrigins,
    mapsAddresses: options.addresses !== 'follow',
    brand: brand.toLowerCase(),
    credential: createCredential(chooseSecret(options, apiKeyHeader)),
    headers: { ...nameAgent('model-router'), ...options.headers },
    fetch: options.fetch ?? createPatientFetch(),
    clock,
    limits: createLimits(limits, clock),
    observers: [options.observers ?? options.hooks ?? {}],
    middleware: [],
    callId: '',
    maxAttempts,
    maxWaitMs,
    budget: createRetryBudget(),
    runTimeoutMs,
    maxResponseBytes,
    idleTimeoutMs,
  };
}

function chooseSecret(
  { apiKey, token, credentialScope: scope }: ModelRouterOptions,
  apiKeyHeader: string,
): CredentialSource {
  const key = apiKey ?? (token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined);
  if (key !== undefined) return { header: apiKeyHeader, secret: key, scope };
  const secret = token ?? readVariable('MODEL_ROUTER_TOKEN');
  if (secret === undefined) throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
  return { header: 'Authorization', secret, scope };
}

function checkedOrigin(address: string): string {
  const origin = readOrigin(address);
  if (origin !== undefined) return origin;
  throw misconfigured('trustedOrigins are absolute addresses of http or https, without a user name');
}

function misconfigured(message: string): Error {
  return new TypeError(`createModelRouter: ${message}`);
}
