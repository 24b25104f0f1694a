/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.js';
import { keyIsOption, namesKey, queueMs, readClientOptions, readMs, runMs, startCall, watchCall, } from '../http/call.js';
import { createCredential } from '../http/credential.js';
import { addParts } from '../http/observers.js';
import { createPatientFetch } from '../http/patient-fetch.js';
import { settled } from '../http/settled.js';
import { enqueue, resume, run, subscribe } from './billed.js';
import { listModels, readModel, readSchema } from './catalog.js';
import { fail, fromStore } from './failures.js';
import { createMemoryKeyStore } from './key-store.js';
import { createLimits } from './limits.js';
import { buildAddresses } from './model-address.js';
import { createHandle } from './queue.js';
import { isRouterError } from './router-error.js';
/** The factory that a package exports. */
export function createModelRouterFor(facts) {
    return (options = {}) => {
        const router = createMethods(connect(options, facts));
        // The types of inputs and outputs exist at compile time only.
        return { ...router, safe: safely(router) };
    };
}
const submitOptions = ['idempotencyKey', 'validate'];
const runOptions = [
    ...submitOptions,
    ...['as', 'settle', 'modelProvider', 'fallbackProvider', 'strictMode'],
];
const subscribeOptions = [
    ...submitOptions,
    ...['as', 'settle', 'pollEveryMs', 'onStatus', 'cancelOnAbort'],
];
const resumeOptions = ['pollEveryMs', 'settle', 'model', 'input'];
/** Each method begins a call, whose start and end observers see. */
function createMethods(client) {
    const { keys, parts, trustedOrigins } = client;
    const start = (identity, options, usualMs, own = []) => startCall(client, identity, options, { usualMs, options: own });
    return {
        run(target, input, options = {}) {
            const model = toModel(target);
            return watchCall(() => start({ operation: 'run', model: model.id }, options, runMs, runOptions), (call) => run(model, input, options, call));
        },
        async submit(target, input, options = {}) {
            const model = toModel(target);
            const begin = () => start({ operation: 'submit', model: model.id }, options, runMs, submitOptions);
            const { queued, replayed } = await watchCall(begin, (call) => enqueue(model, input, options, call));
            return createHandle(client, queued, replayed);
        },
        subscribe(target, input, options = {}) {
            const model = toModel(target);
            return watchCall(() => start({ operation: 'subscribe', model: model.id }, options, queueMs, subscribeOptions), (call) => subscribe(model, input, options, call));
        },
        resume(reference, options = {}) {
            const { operation, model } = reference;
            const usualMs = operation === 'run' ? runMs : queueMs;
            return watchCall(() => start({ operation: 'resume', model }, options, usualMs, resumeOptions), (call) => resume(reference, options, call));
        },
        queued(target, request) {
            const model = toModel(target);
            const queued = typeof request === 'string' ? buildAddresses(client.baseUrl, model.id, request) : request;
            return createHandle(client, { model, queued }, false);
        },
        models(options = {}) {
            const begin = () => start({ operation: 'models' }, options, readMs, ['limit']);
            const whole = begin();
            // Without a deadline each page has its own: what a program does with an entry may take longer.
            return listModels(options.limit, () => (options.deadlineMs === undefined ? begin() : whole));
        },
        model(model, options) {
            const identity = { operation: 'model', model };
            return watchCall(() => start(identity, options, readMs), (call) => readModel(identity, call));
        },
        schema(model, options = {}) {
            const identity = { operation: 'schema', model };
            return watchCall(() => start(identity, options, readMs, ['etag']), (call) => readSchema(identity, options.etag, call));
        },
        use: addParts(parts),
        async pending() {
            const [calls, owner] = await fromStore(Promise.all([keys.pending(), client.credential.owner()]), {
                operation: 'pending',
            });
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
/** The methods with their errors as values. What is a list has a name in its result. */
function safely({ models, pending, use: _, ...router }) {
    const methods = {
        ...router,
        models: async (...args) => {
            const all = [];
            for await (const model of models(...args))
                all.push(model);
            return { models: all };
        },
        pending: async () => ({ calls: await pending() }),
    };
    return settled(methods, isRouterError);
}
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
        throw misconfigured('limits.requestsInFlight is no positive number');
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
