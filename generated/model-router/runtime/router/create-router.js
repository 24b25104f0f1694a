/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { systemClock } from '../http/clock.js';
import { createCredential } from '../http/credential.js';
import { createPatientFetch } from '../http/patient-fetch.js';
import { listModels, readModel, readSchema } from './catalog.js';
import { createMemoryKeyStore } from './key-store.js';
import { createLimits } from './limits.js';
import { addressesOf, handleOf, idOf, limitOf, resume, run, submit, subscribe } from './operations.js';
import { RouterError } from './router-error.js';
/** The factory that a package exports. */
export function createModelRouterFor(facts) {
    return (options = {}) => {
        const session = { connection: connect(options, facts), store: options.keyStore ?? createMemoryKeyStore() };
        const router = routerOf(session);
        // The types of inputs and outputs exist at compile time only.
        return { ...router, untyped: router, safe: safely(router) };
    };
}
function routerOf(session) {
    const { connection, store } = session;
    const readsFor = 5 * 60_000;
    return {
        run: (target, input, options = {}) => run(target, input, options, session),
        submit: (target, input, options = {}) => submit(target, input, options, session),
        subscribe: (target, input, options = {}) => subscribe(target, input, options, session),
        queued: (target, request) => {
            const model = idOf(target);
            const addresses = typeof request === 'string' ? addressesOf(model, request, session) : request;
            return handleOf({ model, addresses }, session, false);
        },
        models: (options = {}) => listModels({ limit: options.limit, time: limitOf(options, session, readsFor) }, connection),
        model: (id, options = {}) => readModel(id, limitOf(options, session, readsFor), connection),
        schema: (id, options = {}) => readSchema(id, { etag: options.etag, time: limitOf(options, session, readsFor) }, connection),
        pending: () => store.pending(),
        resume: (call, options = {}) => resume(call, options, session),
    };
}
/** The methods that return a promise, with their errors as values. */
function safely(router) {
    const { run, submit, subscribe, model, schema, resume } = router;
    const entries = Object.entries({ run, submit, subscribe, model, schema, resume });
    return Object.fromEntries(entries.map(([name, method]) => [name, settle(method)]));
}
function settle(method) {
    return async (...args) => {
        try {
            return { ok: true, ...(await method(...args)) };
        }
        catch (error) {
            if (error instanceof RouterError)
                return { ok: false, error };
            throw error; // a mistake in the program, not an outcome of a call
        }
    };
}
function connect(options, { brand, apiKeyHeader }) {
    const baseUrl = (options.baseUrl ?? environment('MODEL_ROUTER_URL'))?.replace(/\/+$/, '');
    if (baseUrl === undefined || !URL.canParse(baseUrl))
        throw misconfigured('baseUrl is no absolute URL');
    if (options.apiKey !== undefined && options.token !== undefined)
        throw misconfigured('give apiKey or token, not both');
    const clock = options.clock ?? systemClock;
    return {
        baseUrl,
        trustedOrigins: new Set([baseUrl, ...(options.trustedOrigins ?? [])].map((one) => new URL(one).origin)),
        brand: brand.toLowerCase(),
        credential: createCredential(sourceOf(options, apiKeyHeader)),
        headers: options.headers ?? {},
        fetch: options.fetch ?? createPatientFetch(),
        clock,
        limits: createLimits(options.limits ?? {}, clock),
        hooks: options.hooks ?? {},
        maxAttempts: options.maxAttempts ?? 4,
        runTimeoutMs: options.runTimeoutMs ?? 11 * 60_000,
    };
}
function sourceOf({ apiKey, token, credentialScope: scope }, apiKeyHeader) {
    const key = apiKey ?? (token === undefined ? environment('MODEL_ROUTER_API_KEY') : undefined);
    if (key !== undefined)
        return { header: apiKeyHeader, secret: key, scope };
    const secret = token ?? environment('MODEL_ROUTER_TOKEN');
    if (secret === undefined)
        throw misconfigured('no credential: give apiKey or token');
    return { header: 'Authorization', secret, scope };
}
function environment(name) {
    const { process } = globalThis; // absent in browsers
    return process?.env?.[name];
}
function misconfigured(message) {
    return new TypeError(`createModelRouter: ${message}`);
}
