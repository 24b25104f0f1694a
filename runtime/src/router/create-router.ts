import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.ts';
import {
  type CallOptions,
  keyIsOption,
  type Method,
  namesKey,
  performCall,
  queueMs,
  readClientOptions,
  readMs,
  runMs,
  startCall,
} from '../http/call.ts';
import { createCredential } from '../http/credential.ts';
import { addParts } from '../http/observers.ts';
import { createPatientFetch } from '../http/patient-fetch.ts';
import { present } from '../http/present.ts';
import { settled } from '../http/settled.ts';
import { enqueue, type RunChoices, resume, run } from './billed.ts';
import { type CatalogModel, listModels, readModel, readPage, readSchema } from './catalog.ts';
import { fail, fromStore } from './failures.ts';
import { createMemoryKeyStore, type PendingCall } from './key-store.ts';
import { createLimits } from './limits.ts';
import { buildAddresses } from './model-address.ts';
import type { ModelRouterOptions, ResumeOptions, RouterPart, SubmitOptions, SubscribeOptions } from './options.ts';
import type { Connection } from './policy.ts';
import { collectOrLeave, createHandle } from './queue.ts';
import type { QueuedAddresses } from './response-facts.ts';
import { isRouterError } from './router-error.ts';
import type { AnyModel, CatalogOptions, RouterClient } from './router-types.ts';

/** Facts of the API that a package was generated with. */
export type RouterFacts = {
  /** The word in header names for which the API documents write Service. */
  readonly brand: string;
  readonly apiKeyHeader: string;
};

/** The factory that a package exports. */
export function createModelRouterFor<Models>(
  facts: RouterFacts,
): (options?: ModelRouterOptions) => RouterClient<Models> {
  return (options = {}) => create(options, connect(options, facts), facts);
}

function create<Models>(options: ModelRouterOptions, client: Connection, facts: RouterFacts): RouterClient<Models> {
  const { models, pending, use, ...others } = createMethods(client);
  const methods = {
    ...others,
    // A list has a name in its result.
    models: async (...args: Parameters<typeof models>) => {
      const all: CatalogModel[] = [];
      for await (const model of models(...args)) all.push(model);
      return { models: all };
    },
    pending: async () => ({ calls: await pending() }),
  };
  const withOptions = (changes: ModelRouterOptions): RouterClient<Models> => {
    const { keyStore, limits, credentialScope, apiKey, token, observers, debug = false } = changes;
    const isOther = apiKey !== undefined || token !== undefined;
    // The owner of another credential is another one, unless the caller says so.
    const none = { apiKey: undefined, token: undefined, credentialScope: undefined };
    const all = { ...options, ...(isOther && none), ...present(changes) };
    const made = connect({ ...all, observers, debug }, facts);
    // Both have the same calls, and are limited together.
    const shared: Connection = {
      ...{ ...made, budget: client.budget, parts: [...client.parts, ...made.parts] },
      ...(keyStore ? {} : { keys: client.keys, hasOwnKeys: client.hasOwnKeys }),
      ...(limits ? {} : { limits: client.limits }),
      ...(isOther || credentialScope !== undefined ? {} : { credential: client.credential }),
    };
    return create(all, shared, facts);
  };
  const router = { ...others, models, pending, use, withOptions, safe: settled(methods, isRouterError) };
  return router as never; // the types of inputs and outputs exist at compile time only
}

const readMethod: Method = { usualMs: readMs };
const submitMethod = { usualMs: runMs, options: ['idempotencyKey', 'validate'] };
const outputOptions = [...submitMethod.options, 'as', 'settle'];
const runMethod: Method = {
  usualMs: runMs,
  options: [...outputOptions, 'modelProvider', 'fallbackProvider', 'strictMode'],
};
const subscribeMethod: Method = {
  usualMs: queueMs,
  options: [...outputOptions, 'pollEveryMs', 'onStatus', 'cancelOnAbort'],
};
const resumeOptions = ['pollEveryMs', 'settle', 'model', 'input'];

/** Each method performs a call, whose start and end observers see. */
function createMethods(client: Connection) {
  const { keys, parts, trustedOrigins } = client;
  return {
    run(target: string | AnyModel, input: unknown, options: RunChoices = {}) {
      const model = toModel(target);
      const identity = { operation: 'run', model: model.id } as const;
      return performCall(client, identity, runMethod, options, (call) => run(model, input, options, call));
    },
    async submit(target: string | AnyModel, input: unknown, options: SubmitOptions = {}) {
      const model = toModel(target);
      const identity = { operation: 'submit', model: model.id } as const;
      const { queued, replayed } = await performCall(client, identity, submitMethod, options, (call) =>
        enqueue(model, input, options, call),
      );
      return createHandle(client, queued, replayed);
    },
    subscribe(target: string | AnyModel, input: unknown, options: SubscribeOptions = {}) {
      const model = toModel(target);
      const identity = { operation: 'subscribe', model: model.id } as const;
      return performCall(client, identity, subscribeMethod, options, async (call) => {
        const { queued, state } = await enqueue(model, input, options, call);
        return await collectOrLeave(queued, options, call, state);
      });
    },
    resume(
      reference: Parameters<typeof resume>[0],
      options: ResumeOptions & { readonly model?: AnyModel | string | undefined } = {},
    ) {
      const { operation, model } = reference;
      const method = { usualMs: operation === 'run' ? runMs : queueMs, options: resumeOptions };
      return performCall(client, { operation: 'resume', model } as const, method, options, (call) =>
        resume(reference, options, call),
      );
    },
    queued(target: string | AnyModel, request: QueuedAddresses | string) {
      const model = toModel(target);
      const queued = typeof request === 'string' ? buildAddresses(client.baseUrl, model.id, request) : request;
      return createHandle(client, { model, queued }, false);
    },
    models(options: CatalogOptions = {}) {
      const begin = () =>
        startCall(client, { operation: 'models' } as const, { usualMs: readMs, options: ['limit'] }, options);
      const whole = begin();
      // Without a deadline each page has its own: what a program does with an entry may take longer.
      return listModels(options.limit, () => (options.deadlineMs === undefined ? begin() : whole));
    },
    modelsPage(options: CatalogOptions & { readonly cursor?: string | undefined } = {}) {
      const method = { usualMs: readMs, options: ['limit', 'cursor'] };
      return performCall(client, { operation: 'models' } as const, method, options, (call) => readPage(options, call));
    },
    model(model: string, options?: CallOptions) {
      const identity = { operation: 'model', model } as const;
      return performCall(client, identity, readMethod, options, (call) => readModel(identity, call));
    },
    schema(model: string, options: CallOptions & { readonly etag?: string | undefined } = {}) {
      const identity = { operation: 'schema', model } as const;
      const method = { usualMs: readMs, options: ['etag'] };
      return performCall(client, identity, method, options, (call) => readSchema(identity, options.etag, call));
    },
    use: addParts<RouterPart>(parts),
    async pending(): Promise<readonly PendingCall[]> {
      const reading = Promise.all([keys.pending(), client.credential.owner()]);
      const [calls, owner] = await fromStore(reading, { operation: 'pending' });
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
  if (!((limits.requestsInFlight ?? 1) >= 1)) throw misconfigured('limits.requestsInFlight must be a positive number');
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
