/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.js';
import { connectAs, keyIsOption, namesKey, startWork, watchCall, } from '../http/connection.js';
import { createCredential } from '../http/credential.js';
import { addParts } from '../http/observers.js';
import { createPatientFetch } from '../http/patient-fetch.js';
import { settled } from '../http/settled.js';
import { listModels, readModel, readSchema } from './catalog.js';
import { fail, fromStore } from './failures.js';
import { createMemoryKeyStore } from './key-store.js';
import { createLimits } from './limits.js';
import { buildAddresses } from './model-address.js';
import { enqueue, resume, run, subscribe, toModel } from './operations.js';
import { createHandle } from './queued-request.js';
import { isRouterError } from './router-error.js';
/** The factory that a package exports. */
export function createModelRouterFor(facts) {
    return (options = {}) => {
        const router = createMethods(connect(options, facts));
        // The types of inputs and outputs exist at compile time only.
        const safe = safely(router);
        return { ...router, untyped: router, safe: { ...safe, untyped: safe } };
    };
}
const submitTakes = 'key fresh validate';
const outputTakes = 'as settle';
const minutes = 5 * 60_000;
function createMethods(connection) {
    const { keys, parts } = connection;
    const onModel = (operation, takes, work) => async (target, input, options) => watchCall(connection, { facts: { operation, model: toModel(target).id }, options, takes }, (inner) => work(target, input, inner));
    return {
        run: onModel('run', `${submitTakes} ${outputTakes} modelProvider fallbackProvider strictMode`, run),
        submit: onModel('submit', submitTakes, async (...given) => createHandle(connection, await enqueue(...given))),
        subscribe: onModel('subscribe', `${submitTakes} ${outputTakes} pollEvery onStatus cancelOnAbort`, subscribe),
        resume: async (call, options) => {
            const facts = { operation: 'resume', model: call.model };
            return watchCall(connection, { facts, options, takes: 'pollEvery settle model' }, (work) => resume(call, work));
        },
        queued: (target, request) => {
            const { id: model } = toModel(target);
            const queued = typeof request === 'string' ? buildAddresses(connection.baseUrl, model, request) : request;
            return createHandle(connection, { call: { model, queued }, replayed: false });
        },
        models: (options = {}) => {
            const start = () => startWork(connection, { facts: { operation: 'models' }, options, takes: 'limit', usualMs: minutes });
            const whole = start();
            // Without a deadline each page has its own: what a program does with an entry may take longer.
            return listModels(options.limit, () => (options.deadlineMs === undefined ? start() : whole));
        },
        model: async (id, options) => watchCall(connection, { facts: { operation: 'model', model: id }, options, usualMs: minutes }, (work) => readModel(id, work)),
        schema: async (id, options) => {
            const facts = { operation: 'schema', model: id };
            return watchCall(connection, { facts, options, takes: 'etag', usualMs: minutes }, (work) => readSchema(id, options?.etag, work));
        },
        use: addParts(parts),
        pending: () => fromStore(keys.pending(), { operation: 'pending' }),
        forget: (key) => fromStore(keys.finish(key), { operation: 'pending', key }),
    };
}
/** The methods with their errors as values. What is a list has a name in its result. */
function safely({ queued, models, pending, forget, use: _, ...router }) {
    const methods = {
        ...router,
        queued: async (...args) => queued(...args),
        models: async (...args) => {
            const all = [];
            for await (const model of models(...args))
                all.push(model);
            return { models: all };
        },
        pending: async () => ({ calls: await pending() }),
        forget: async (key) => (await forget(key)) ?? {},
    };
    return settled(methods, isRouterError);
}
function connect(options, { brand, apiKeyHeader }) {
    const { baseUrl: address = readVariable('MODEL_ROUTER_URL'), apiKey = options.token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined, token = apiKey ?? readVariable('MODEL_ROUTER_TOKEN'), credentialScope: scope, keyStore, trustedOrigins = [], addresses, fetch, limits = {}, runTimeoutMs = 11 * 60_000, maxWaitMs = 10 * 60_000, maxResponseBytes = 256 * 1024 * 1024, idleTimeoutMs = 60_000, ...others } = options;
    if (address === undefined)
        throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
    if (token === undefined)
        throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
    if (options.apiKey !== undefined && options.token !== undefined)
        throw misconfigured('give apiKey or token, not both');
    const baseUrl = readBaseUrl(address, '/v2', 'createModelRouter');
    const shared = connectAs('model-router', others);
    if (namesKey(shared.headers))
        throw misconfigured(keyIsOption);
    // Not a number would compare as false everywhere: no attempt would be the last one.
    const least = Math.min(limits.concurrency ?? 1, shared.maxAttempts, maxResponseBytes);
    if (!(least >= 1 && runTimeoutMs > 0 && idleTimeoutMs > 0 && maxWaitMs >= 0))
        throw misconfigured('limits, attempts, sizes and times are positive numbers');
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
        keys: keyStore ?? createMemoryKeyStore(),
        fail: fail, // every call of this client has an identity
        maxWaitMs,
        runTimeoutMs,
        maxResponseBytes,
        idleTimeoutMs,
    };
}
function misconfigured(message) {
    return new TypeError(`createModelRouter: ${message}`);
}
