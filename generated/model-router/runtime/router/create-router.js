/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.js';
import { keyIsOption, namesKey, performCall, queueMs, readClientOptions, readMs, runMs, startCall, } from '../http/call.js';
import { createCredential } from '../http/credential.js';
import { addParts } from '../http/observers.js';
import { createPatientFetch } from '../http/patient-fetch.js';
import { present } from '../http/present.js';
import { settled } from '../http/settled.js';
import { enqueue, resume, run } from './billed.js';
import { listModels, readModel, readPage, readSchema } from './catalog.js';
import { fail, fromStore } from './failures.js';
import { createMemoryKeyStore } from './key-store.js';
import { createLimits } from './limits.js';
import { buildAddresses } from './model-address.js';
import { collectOrLeave, createHandle } from './queue.js';
import { isRouterError } from './router-error.js';
/** The factory that a package exports. */
export function createModelRouterFor(facts) {
    return (options = {}) => create(options, connect(options, facts), facts);
}
function create(options, client, facts) {
    const { models, pending, use, ...others } = createMethods(client);
    const methods = {
        ...others,
        // A list has a name in its result.
        models: async (...args) => {
            const all = [];
            for await (const model of models(...args))
                all.push(model);
            return { models: all };
        },
        pending: async () => ({ calls: await pending() }),
    };
    const withOptions = (changes) => {
        const { keyStore, limits, credentialScope, apiKey, token, observers, debug = false } = changes;
        const isOther = apiKey !== undefined || token !== undefined;
        // The owner of another credential is another one, unless the caller says so.
        const none = { apiKey: undefined, token: undefined, credentialScope: undefined };
        const all = { ...options, ...(isOther && none), ...present(changes) };
        const made = connect({ ...all, observers, debug }, facts);
        // Both have the same calls, and are limited together.
        const shared = {
            ...{ ...made, budget: client.budget, parts: [...client.parts, ...made.parts] },
            ...(keyStore ? {} : { keys: client.keys, hasOwnKeys: client.hasOwnKeys }),
            ...(limits ? {} : { limits: client.limits }),
            ...(isOther || credentialScope !== undefined ? {} : { credential: client.credential }),
        };
        return create(all, shared, facts);
    };
    const router = { ...others, models, pending, use, withOptions, safe: settled(methods, isRouterError) };
    return router; // the types of inputs and outputs exist at compile time only
}
const readMethod = { usualMs: readMs };
const submitMethod = { usualMs: runMs, options: ['idempotencyKey', 'validate'] };
const outputOptions = [...submitMethod.options, 'as', 'settle'];
const runMethod = {
    usualMs: runMs,
    options: [...outputOptions, 'modelProvider', 'fallbackProvider', 'strictMode'],
};
const subscribeMethod = {
    usualMs: queueMs,
    options: [...outputOptions, 'pollEveryMs', 'onStatus', 'cancelOnAbort'],
};
const resumeOptions = ['pollEveryMs', 'settle', 'model', 'input'];
/** Each method performs a call, whose start and end observers see. */
function createMethods(client) {
    const { keys, parts, trustedOrigins } = client;
    return {
        run(target, input, options = {}) {
            const model = toModel(target);
            const identity = { operation: 'run', model: model.id };
            return performCall(client, identity, runMethod, options, (call) => run(model, input, options, call));
        },
        async submit(target, input, options = {}) {
            const model = toModel(target);
            const identity = { operation: 'submit', model: model.id };
            const { queued, replayed } = await performCall(client, identity, submitMethod, options, (call) => enqueue(model, input, options, call));
            return createHandle(client, queued, replayed);
        },
        subscribe(target, input, options = {}) {
            const model = toModel(target);
            const identity = { operation: 'subscribe', model: model.id };
            return performCall(client, identity, subscribeMethod, options, async (call) => {
                const { queued, state } = await enqueue(model, input, options, call);
                return await collectOrLeave(queued, options, call, state);
            });
        },
        resume(reference, options = {}) {
            const { operation, model } = reference;
            const method = { usualMs: operation === 'run' ? runMs : queueMs, options: resumeOptions };
            return performCall(client, { operation: 'resume', model }, method, options, (call) => resume(reference, options, call));
        },
        queued(target, request) {
            const model = toModel(target);
            const queued = typeof request === 'string' ? buildAddresses(client.baseUrl, model.id, request) : request;
            return createHandle(client, { model, queued }, false);
        },
        models(options = {}) {
            const begin = () => startCall(client, { operation: 'models' }, { usualMs: readMs, options: ['limit'] }, options);
            const whole = begin();
            // Without a deadline each page has its own: what a program does with an entry may take longer.
            return listModels(options.limit, () => (options.deadlineMs === undefined ? begin() : whole));
        },
        modelsPage(options = {}) {
            const method = { usualMs: readMs, options: ['limit', 'cursor'] };
            return performCall(client, { operation: 'models' }, method, options, (call) => readPage(options, call));
        },
        model(model, options) {
            const identity = { operation: 'model', model };
            return performCall(client, identity, readMethod, options, (call) => readModel(identity, call));
        },
        schema(model, options = {}) {
            const identity = { operation: 'schema', model };
            const method = { usualMs: readMs, options: ['etag'] };
            return performCall(client, identity, method, options, (call) => readSchema(identity, options.etag, call));
        },
        use: addParts(parts),
        async pending() {
            const reading = Promise.all([keys.pending(), client.credential.owner()]);
            const [calls, owner] = await fromStore(reading, { operation: 'pending' });
            return calls.map((call) => {
                if (call.damaged !== undefined)
                    return { ...call, isOwn: false };
                const isOwn = call.owner === owner && trustedOrigins.has(new URL(call.url).origin);
                return { ...call, isOwn, needsInput: call.body === undefined && call.queued === undefined };
            });
        },
        forget: (idempotencyKey) => fromStore(keys.forget(idempotencyKey), { operation: 'pending', idempotencyKey }),
    };
}
const toModel = (target) => (typeof target === 'string' ? { id: target } : target);
function connect(options, { brand, apiKeyHeader }) {
    const { baseUrl: address = readVariable('MODEL_ROUTER_URL'), apiKey = options.token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined, token = apiKey ?? readVariable('MODEL_ROUTER_TOKEN'), credentialScope: scope, keyStore, trustedOrigins = [], addresses, recoverEqualCalls, fetch, limits = {}, ...others } = options;
    if (address === undefined)
        throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
    if (token === undefined)
        throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
    if (apiKey === '' || token === '')
        throw misconfigured(`${apiKey === '' ? 'apiKey' : 'token'} is empty`);
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
    if (namesKey(shared.headers))
        throw misconfigured(keyIsOption);
    if (!((limits.requestsInFlight ?? 1) >= 1))
        throw misconfigured('limits.requestsInFlight must be a positive number');
    return {
        ...shared,
        baseUrl,
        trustedOrigins: new Set([baseUrl, ...trustedOrigins].map((one) => readOrigin(one, 'createModelRouter: one of trustedOrigins'))),
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
function misconfigured(message) {
    return new TypeError(`createModelRouter: ${message}`);
}
