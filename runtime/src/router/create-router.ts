import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.ts';
import {
  type CallOptions,
  type ClientOptions,
  keyIsOption,
  namesKey,
  queueMs,
  readClientOptions,
  readMs,
  runMs,
  startCall,
  watchCall,
} from '../http/call.ts';
import { createCredential, type Secret } from '../http/credential.ts';
import { addParts } from '../http/observers.ts';
import { createPatientFetch } from '../http/patient-fetch.ts';
import { settled } from '../http/settled.ts';
import { enqueue, type RunChoices, resume, run, subscribe } from './billed.ts';
import { type CatalogModel, listModels, readModel, readSchema } from './catalog.ts';
import type { Connection, RouterCall } from './connection.ts';
import { type CallIdentity, fail, fromStore } from './failures.ts';
import { createMemoryKeyStore, type KeyStore, type PendingCall } from './key-store.ts';
import { createLimits, type LimitOptions } from './limits.ts';
import { buildAddresses } from './model-address.ts';
import type { RouterObservers, RouterPart } from './observers.ts';
import type { ResumeOptions, SubmitOptions, SubscribeOptions } from './options.ts';
import { createHandle } from './queue.ts';
import { isRouterError, type QueuedAddresses } from './router-error.ts';
import type { AnyModel, RouterClient } from './router-types.ts';

export type ModelRouterOptions = ClientOptions<RouterObservers> & {
  /** Without `/v2`; `MODEL_ROUTER_URL` of the environment by default. */
  readonly baseUrl?: string | undefined;
  /** Sent in the header of API keys; `MODEL_ROUTER_API_KEY` of the environment where neither this nor `token` is given. */
  readonly apiKey?: Secret | undefined;
  /**
   * Sent as `Authorization: Bearer`. A function is asked once for each call, and again where the service answers 401. Nobody knows whose a
   * later token is, so another process resumes calls of such a client only where both have the same `credentialScope`.
   */
  readonly token?: Secret | undefined;
  /**
   * Names the owner of the credential, such as a workspace. Clients of one scope may resume each other's calls of a key store, also after
   * the credential was replaced. Without it, only clients with the same fixed credential may.
   */
  readonly credentialScope?: string | undefined;
  /** Remembers billed calls until their outcome is known; in memory by default, which does not survive the process. */
  readonly keyStore?: KeyStore | undefined;
  /**
   * For a worker of one tenant: a call without an `idempotencyKey` takes up an earlier equal one of the same `scope` whose outcome is
   * unknown, unless its caller aborted it. Off by default: every call is a new run then.
   */
  readonly recoverEqualCalls?: { readonly scope: string } | undefined;
  /** Origins besides the base address's own whose handle addresses get the credential. */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * A router behind a gateway gives handles addresses of its own origin. `map`, the default, asks for its paths at `baseUrl`;
   * `follow` refuses other origins.
   */
  readonly addresses?: 'map' | 'follow' | undefined;
  readonly limits?: LimitOptions | undefined;
  /**
   * How long a call may wait for `Retry-After` or for a slot before it is admitted; 10 minutes by default.
   * Longer waits that are asked for end it at once.
   */
  readonly maxWaitMs?: number | undefined;
  /** For one attempt of a run; 11 minutes by default, since the service may hold a call for ten. */
  readonly runTimeoutMs?: number | undefined;
  /** Of one body, 256 MiB by default; a longer one is an error that keeps its key. A stream has no such limit. */
  readonly maxResponseBytes?: number | undefined;
  /** How long an output that is read as a stream may give no bytes, or may wait for its first reader; a minute by default. */
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
    return { ...router, safe: safely(router) } as unknown as RouterClient<Models>;
  };
}

const submitOptions: readonly (keyof SubmitOptions)[] = ['idempotencyKey', 'validate'];
const runOptions: readonly (keyof RunChoices)[] = [
  ...submitOptions,
  ...(['as', 'settle', 'modelProvider', 'fallbackProvider', 'strictMode'] as const),
];
const subscribeOptions: readonly (keyof SubscribeOptions)[] = [
  ...submitOptions,
  ...(['as', 'settle', 'pollEveryMs', 'onStatus', 'cancelOnAbort'] as const),
];
type AnyResumeOptions = ResumeOptions & { readonly model?: AnyModel | string | undefined };
const resumeOptions: readonly (keyof AnyResumeOptions)[] = ['pollEveryMs', 'settle', 'model', 'input'];

/** Each method begins a call, whose start and end observers see. */
function createMethods(client: Connection) {
  const { keys, parts, trustedOrigins } = client;
  const start = (
    identity: CallIdentity,
    options: CallOptions | undefined,
    usualMs: number,
    own: readonly string[] = [],
  ) => startCall(client, identity, options, { usualMs, options: own });
  return {
    run(target: string | AnyModel, input: unknown, options: RunChoices = {}) {
      const model = toModel(target);
      return watchCall(
        () => start({ operation: 'run', model: model.id }, options, runMs, runOptions),
        (call) => run(model, input, options, call),
      );
    },
    async submit(target: string | AnyModel, input: unknown, options: SubmitOptions = {}) {
      const model = toModel(target);
      const begin = () => start({ operation: 'submit', model: model.id }, options, runMs, submitOptions);
      const { queued, replayed } = await watchCall(begin, (call) => enqueue(model, input, options, call));
      return createHandle(client, queued, replayed);
    },
    subscribe(target: string | AnyModel, input: unknown, options: SubscribeOptions = {}) {
      const model = toModel(target);
      return watchCall(
        () => start({ operation: 'subscribe', model: model.id }, options, queueMs, subscribeOptions),
        (call) => subscribe(model, input, options, call),
      );
    },
    resume(reference: Parameters<typeof resume>[0], options: AnyResumeOptions = {}) {
      const { operation, model } = reference;
      const usualMs = operation === 'run' ? runMs : queueMs;
      return watchCall(
        () => start({ operation: 'resume', model }, options, usualMs, resumeOptions),
        (call) => resume(reference, options, call),
      );
    },
    queued(target: string | AnyModel, request: QueuedAddresses | string) {
      const model = toModel(target);
      const queued = typeof request === 'string' ? buildAddresses(client.baseUrl, model.id, request) : request;
      return createHandle(client, { model, queued }, false);
    },
    models(options: CallOptions & { readonly limit?: number | undefined } = {}) {
      const begin = (): RouterCall => start({ operation: 'models' }, options, readMs, ['limit']);
      const whole = begin();
      // Without a deadline each page has its own: what a program does with an entry may take longer.
      return listModels(options.limit, () => (options.deadlineMs === undefined ? begin() : whole));
    },
    model(model: string, options?: CallOptions) {
      const identity = { operation: 'model', model } as const;
      return watchCall(
        () => start(identity, options, readMs),
        (call) => readModel(identity, call),
      );
    },
    schema(model: string, options: CallOptions & { readonly etag?: string | undefined } = {}) {
      const identity = { operation: 'schema', model } as const;
      return watchCall(
        () => start(identity, options, readMs, ['etag']),
        (call) => readSchema(identity, options.etag, call),
      );
    },
    use: addParts<RouterPart>(parts),
    async pending(): Promise<readonly PendingCall[]> {
      const [calls, owner] = await fromStore(Promise.all([keys.pending(), client.credential.owner()]), {
        operation: 'pending',
      });
      return calls.map((call) => {
        if (call.damaged !== undefined) return { ...call, isOwn: false };
        const isOwn = call.owner === owner && trustedOrigins.has(new URL(call.url).origin);
        return { ...call, isOwn, needsInput: call.body === undefined && call.queued === undefined };
      });
    },
    forget: (idempotencyKey: string) =>
      fromStore(keys.forget(idempotencyKey), { operation: 'pending', idempotencyKey }),
  };
}

const toModel = (target: string | AnyModel): AnyModel => (typeof target === 'string' ? { id: target } : target);

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
    recoverEqualCalls,
    fetch,
    limits = {},
    ...others
  } = options;
  if (address === undefined) throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
  if (token === undefined) throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
  if (apiKey === '' || token === '') throw misconfigured(`${apiKey === '' ? 'apiKey' : 'token'} is empty`);
  if (recoverEqualCalls !== undefined && !recoverEqualCalls.scope)
    throw misconfigured('recoverEqualCalls needs a scope, which names whose calls are taken up');
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
  if (namesKey(shared.headers)) throw misconfigured(keyIsOption);
  if (!((limits.requestsInFlight ?? 1) >= 1)) throw misconfigured('limits.requestsInFlight is no positive number');
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
    keys: keyStore ?? createMemoryKeyStore({ clock: shared.clock }),
    hasOwnKeys: keyStore === undefined,
    recoverScope: recoverEqualCalls?.scope,
    fail,
  };
}

function misconfigured(message: string): Error {
  return new TypeError(`createModelRouter: ${message}`);
}
