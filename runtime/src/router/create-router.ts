import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.ts';
import {
  type CallOptions,
  type ClientOptions,
  connectAs,
  keyIsOption,
  namesKey,
  reads,
  startWork,
  watchCalls,
} from '../http/connection.ts';
import { createCredential, type Secret } from '../http/credential.ts';
import { addParts } from '../http/observers.ts';
import { createPatientFetch } from '../http/patient-fetch.ts';
import { settled } from '../http/settled.ts';
import { type CatalogModel, listModels, readModel, readSchema } from './catalog.ts';
import type { Connection, Work } from './connection.ts';
import { fail, fromStore } from './failures.ts';
import { createMemoryKeyStore, type KeyStore } from './key-store.ts';
import { createLimits, type LimitOptions } from './limits.ts';
import { buildAddresses } from './model-address.ts';
import type { RouterObservers } from './observers.ts';
import { enqueue, resume, run, subscribe, toModel } from './operations.ts';
import type { ResumeOptions, SubscribeOptions } from './options.ts';
import { createHandle } from './queued-request.ts';
import { isRouterError, type QueuedAddresses } from './router-error.ts';
import type { AnyModel, RouterClient } from './router-types.ts';

export type ModelRouterOptions = ClientOptions<RouterObservers> & {
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
    const router = createMethods(connect(options, facts));
    // The types of inputs and outputs exist at compile time only.
    const safe = safely(router);
    return { ...router, untyped: router, safe: { ...safe, untyped: safe } } as unknown as RouterClient<Models>;
  };
}

function createMethods(connection: Connection) {
  const { keys, parts } = connection;
  const watch = watchCalls(connection);
  const onModel =
    <Result>(
      operation: 'run' | 'submit' | 'subscribe',
      takes: string,
      run: (target: string | AnyModel, input: unknown, work: Work) => Promise<Result>,
    ) =>
    async (target: string | AnyModel, input: unknown, options?: SubscribeOptions) =>
      watch({ operation, model: toModel(target).id }, options, (work) => run(target, input, work), {
        takes: `key fresh validate ${takes}`,
      });
  return {
    run: onModel('run', 'as settle modelProvider fallbackProvider strictMode', run),
    submit: onModel('submit', '', async (...given) => createHandle(connection, await enqueue(...given))),
    subscribe: onModel('subscribe', 'as settle pollEvery onStatus cancelOnAbort', subscribe),
    resume: async (call: Parameters<typeof resume>[0], options?: ResumeOptions & { model?: AnyModel | string }) =>
      watch({ operation: 'resume', model: call.model }, options, (work) => resume(call, work), {
        takes: 'pollEvery settle model',
      }),
    queued: (target: string | AnyModel, request: QueuedAddresses | string) => {
      const { id: model } = toModel(target);
      const queued = typeof request === 'string' ? buildAddresses(connection.baseUrl, model, request) : request;
      return createHandle(connection, { call: { model, queued }, replayed: false });
    },
    models: (options: CallOptions & { limit?: number } = {}) => {
      const start = () => startWork(connection, { operation: 'models' }, options, { takes: 'limit', ...reads });
      const whole = start();
      // Without a deadline each page has its own: what a program does with an entry may take longer.
      return listModels(options.limit, () => (options.deadlineMs === undefined ? start() : whole));
    },
    model: (model: string, options?: CallOptions) =>
      watch({ operation: 'model', model } as const, options, readModel, reads),
    schema: (model: string, options?: CallOptions & { etag?: string }) =>
      watch({ operation: 'schema', model } as const, options, readSchema, { takes: 'etag', ...reads }),
    use: addParts(parts),
    pending: () => fromStore(keys.pending(), { operation: 'pending' }),
    forget: (key: string) => fromStore(keys.finish(key), { operation: 'pending', key }),
  };
}

/** The methods with their errors as values. What is a list has a name in its result. */
function safely({ models, pending, use: _, ...router }: ReturnType<typeof createMethods>) {
  const methods = {
    ...router,
    models: async (...args: Parameters<typeof models>) => {
      const all: CatalogModel[] = [];
      for await (const model of models(...args)) all.push(model);
      return { models: all };
    },
    pending: async () => ({ calls: await pending() }),
  };
  return settled(methods, isRouterError);
}

function connect(options: ModelRouterOptions, { brand, apiKeyHeader }: RouterFacts): Connection {
  const {
    baseUrl: address = readVariable('MODEL_ROUTER_URL'),
    apiKey = options.token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined,
    token = apiKey ?? readVariable('MODEL_ROUTER_TOKEN'),
    credentialScope: scope,
    keyStore,
    trustedOrigins = [],
    addresses,
    fetch,
    limits = {},
    ...others
  } = options;
  if (address === undefined) throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
  if (token === undefined) throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
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
  const shared = connectAs('model-router', usual, others);
  if (namesKey(shared.headers)) throw misconfigured(keyIsOption);
  if (!((limits.concurrency ?? 1) >= 1)) throw misconfigured('limits.concurrency is no positive number');
  return {
    ...shared,
    baseUrl,
    trustedOrigins: new Set(
      [baseUrl, ...trustedOrigins].map((one) => readOrigin(one, 'createModelRouter: one of trustedOrigins')),
    ),
    mapsAddresses: addresses !== 'follow',
    brand: brand.toLowerCase(),
    credential: createCredential({
      header: apiKey === undefined ? 'Authorization' : apiKeyHeader,
      secret: token,
      scope,
    }),
    fetch: fetch ?? createPatientFetch(),
    limits: createLimits(limits, shared.clock),
    keys: keyStore ?? createMemoryKeyStore(),
    hasOwnKeys: keyStore === undefined,
    fail: fail as Connection['fail'], // every call of this client has an identity
  };
}

function misconfigured(message: string): Error {
  return new TypeError(`createModelRouter: ${message}`);
}
