/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.js';
import { connectAs, keyIsOption, namesKey, reads, startWork, watchCalls, } from '../http/connection.js';
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
function createMethods(connection) {
    const { keys, parts } = connection;
    const watch = watchCalls(connection);
    const onModel = (operation, takes, run) => async (target, input, options) => watch({ operation, model: toModel(target).id }, options, (work) => run(target, input, work), {
        takes: `key fresh validate ${takes}`,
    });
    return {
        run: onModel('run', 'as settle modelProvider fallbackProvider strictMode', run),
        submit: onModel('submit', '', async (...given) => createHandle(connection, await enqueue(...given))),
        subscribe: onModel('subscribe', 'as settle pollEvery onStatus cancelOnAbort', subscribe),
        resume: async (call, options) => watch({ operation: 'resume', model: call.model }, options, (work) => resume(call, work), {
            takes: 'pollEvery settle model',
        }),
        queued: (target, request) => {
            const { id: model } = toModel(target);
            const queued = typeof request === 'string' ? buildAddresses(connection.baseUrl, model, request) : request;
            return createHandle(connection, { call: { model, queued }, replayed: false });
        },
        models: (options = {}) => {
            const start = () => startWork(connection, { operation: 'models' }, options, { takes: 'limit', ...reads });
            const whole = start();
            // Without a deadline each page has its own: what a program does with an entry may take longer.
            return listModels(options.limit, () => (options.deadlineMs === undefined ? start() : whole));
        },
        model: (model, options) => watch({ operation: 'model', model }, options, readModel, reads),
        schema: (model, options) => watch({ operation: 'schema', model }, options, readSchema, { takes: 'etag', ...reads }),
        use: addParts(parts),
        pending: () => fromStore(keys.pending(), { operation: 'pending' }),
        forget: (key) => fromStore(keys.finish(key), { operation: 'pending', key }),
    };
}
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
    const { baseUrl: address = readVariable('MODEL_ROUTER_URL'), apiKey = options.token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined, token = apiKey ?? readVariable('MODEL_ROUTER_TOKEN'), credentialScope: scope, keyStore, trustedOrigins = [], addresses, fetch, limits = {}, ...others } = options;
    if (address === undefined)
        throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
    if (token === undefined)
        throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
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
    if (namesKey(shared.headers))
        throw misconfigured(keyIsOption);
    if (!((limits.concurrency ?? 1) >= 1))
        throw misconfigured('limits.concurrency is no positive number');
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
        hasOwnKeys: keyStore === undefined,
        fail: fail, // every call of this client has an identity
    };
}
function misconfigured(message) {
    return new TypeError(`createModelRouter: ${message}`);
}
