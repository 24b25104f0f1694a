/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { nameAgent, readBaseUrl, readOrigin, readVariable } from '../http/base-url.js';
import { systemClock } from '../http/clock.js';
import { createCredential } from '../http/credential.js';
import { takeParts } from '../http/middleware.js';
import { createPatientFetch } from '../http/patient-fetch.js';
import { settled } from '../http/settled.js';
import { startDeadline } from './call.js';
import { listModels, readModel, readSchema } from './catalog.js';
import { storeFailure } from './failures.js';
import { createMemoryKeyStore } from './key-store.js';
import { createLimits } from './limits.js';
import { buildAddresses } from './model-address.js';
import { toModel } from './model-facts.js';
import { run, submit, subscribe } from './operations.js';
import { createHandle } from './queued-request.js';
import { resume } from './resume.js';
import { createRetryBudget } from './retry-budget.js';
import { isRouterError } from './router-error.js';
import { checkOptions, namesKey, watchCall } from './watch-call.js';
/** The factory that a package exports. */
export function createModelRouterFor(facts) {
    return (options = {}) => {
        const connection = connect(options, facts);
        const session = { connection, keys: options.keyStore ?? createMemoryKeyStore() };
        const router = createMethods(session);
        // The types of inputs and outputs exist at compile time only.
        const safe = safely(router);
        return { ...router, untyped: router, safe: { ...safe, untyped: safe } };
    };
}
const submitTakes = 'key fresh validate';
const outputTakes = 'as settle';
function createMethods(session) {
    const { connection, keys } = session;
    const read = (options, from = connection) => startDeadline(options, from, 5 * 60_000);
    const onModel = (operation, takes, work) => async (target, input, options) => {
        const invocation = { operation, model: toModel(target).id, options, takes };
        return watchCall(session, invocation, (inner) => work(inner, target, input, options));
    };
    return {
        run: onModel('run', `${submitTakes} ${outputTakes} modelProvider fallbackProvider strictMode`, run),
        submit: onModel('submit', submitTakes, submit),
        subscribe: onModel('subscribe', `${submitTakes} ${outputTakes} pollEvery onStatus cancelOnAbort`, subscribe),
        resume: async (call, options) => {
            const invocation = { operation: 'resume', model: call.model, options, takes: 'pollEvery settle model' };
            return watchCall(session, invocation, (inner) => resume(inner, call, options));
        },
        queued: (target, request) => {
            const { id: model } = toModel(target);
            const addresses = typeof request === 'string' ? buildAddresses(connection.baseUrl, model, request) : request;
            return createHandle({ model, addresses }, session, false);
        },
        models: (options = {}) => {
            checkOptions({ operation: 'models', options, takes: 'limit' });
            const whole = read(options);
            // Without a deadline each page has its own: what a program does with an entry may take longer.
            const startPage = () => (options.deadlineMs === undefined ? read(options) : whole);
            return listModels({ limit: options.limit, startPage }, connection);
        },
        model: async (id, options = {}) => watchCall(session, { operation: 'model', model: id, options }, ({ connection: from }) => readModel(id, read(options, from), from)),
        schema: async (id, options = {}) => watchCall(session, { operation: 'schema', model: id, options, takes: 'etag' }, ({ connection: from }) => readSchema(id, { etag: options.etag, time: read(options, from) }, from)),
        use: takeParts(connection),
        pending: () => keys.pending().catch((cause) => {
            throw storeFailure({ operation: 'pending' }, 'the key store cannot be read', cause);
        }),
        forget: (key) => keys.finish(key).catch((cause) => {
            throw storeFailure({ operation: 'pending', key }, 'the key store cannot be changed', cause);
        }),
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
        forget: async (key) => {
            await forget(key);
            return {};
        },
    };
    return settled(methods, isRouterError);
}
function connect(options, { brand, apiKeyHeader }) {
    const address = options.baseUrl ?? readVariable('MODEL_ROUTER_URL');
    if (address === undefined)
        throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
    const checked = readBaseUrl(address, '/v2');
    if ('mistake' in checked)
        throw misconfigured(checked.mistake);
    const { baseUrl } = checked;
    const trustedOrigins = new Set([baseUrl, ...(options.trustedOrigins ?? [])].map(checkedOrigin));
    if (namesKey(options.headers ?? {}))
        throw misconfigured('a key belongs to one call: give it as the option key of that call');
    if (options.apiKey !== undefined && options.token !== undefined)
        throw misconfigured('give apiKey or token, not both');
    const { clock = systemClock, limits = {}, maxAttempts = 4, runTimeoutMs = 11 * 60_000, maxWaitMs = 10 * 60_000, maxResponseBytes = 256 * 1024 * 1024, idleTimeoutMs = 60_000, } = options;
    // Not a number would compare as false everywhere: no attempt would be the last one.
    const { concurrency = 1 } = limits;
    const least = Math.min(concurrency, maxAttempts, maxResponseBytes);
    if (!(least >= 1 && runTimeoutMs > 0 && idleTimeoutMs > 0 && maxWaitMs >= 0))
        throw misconfigured('limits.concurrency, maxAttempts, maxResponseBytes, runTimeoutMs and idleTimeoutMs are at least 1, maxWaitMs at least 0');
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
function chooseSecret({ apiKey, token, credentialScope: scope }, apiKeyHeader) {
    const key = apiKey ?? (token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined);
    if (key !== undefined)
        return { header: apiKeyHeader, secret: key, scope };
    const secret = token ?? readVariable('MODEL_ROUTER_TOKEN');
    if (secret === undefined)
        throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
    return { header: 'Authorization', secret, scope };
}
function checkedOrigin(address) {
    const origin = readOrigin(address);
    if (origin !== undefined)
        return origin;
    throw misconfigured('trustedOrigins are absolute addresses of http or https, without a user name');
}
function misconfigured(message) {
    return new TypeError(`createModelRouter: ${message}`);
}
