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
import { readOrigin, toTransport } from '../http/send.js';
import { startDeadline } from './call.js';
import { listModels, readModel, readSchema } from './catalog.js';
import { localFailure } from './failures.js';
import { createMemoryKeyStore } from './key-store.js';
import { createLimits } from './limits.js';
import { run, submit, subscribe } from './operations.js';
import { buildAddresses, createHandle } from './queued-request.js';
import { resume } from './resume.js';
import { settled } from './settled.js';
/** The factory that a package exports. */
export function createModelRouterFor(facts) {
    return (options = {}) => {
        const session = { connection: connect(options, facts), store: options.keyStore ?? createMemoryKeyStore() };
        const router = createMethods(session);
        // The types of inputs and outputs exist at compile time only.
        const safe = safely(router);
        return { ...router, untyped: router, safe: { ...safe, untyped: safe } };
    };
}
function createMethods(session) {
    const { connection, store } = session;
    const read = (options) => startDeadline(options, connection, 5 * 60_000);
    return {
        run: run.bind(undefined, session),
        submit: submit.bind(undefined, session),
        subscribe: subscribe.bind(undefined, session),
        resume: resume.bind(undefined, session),
        queued: (target, request) => {
            const model = typeof target === 'string' ? target : target.id;
            const addresses = typeof request === 'string' ? buildAddresses(model, request, session) : request;
            return createHandle({ model, addresses }, session, false);
        },
        models: (options = {}) => {
            const whole = read(options);
            // Without a deadline each page has its own: what a program does with an entry may take longer.
            const startPage = () => (options.deadlineMs === undefined ? read(options) : whole);
            return listModels({ limit: options.limit, startPage }, connection);
        },
        model: (id, options = {}) => readModel(id, read(options), connection),
        schema: (id, options = {}) => readSchema(id, { etag: options.etag, time: read(options) }, connection),
        pending: () => store.pending().catch((cause) => {
            throw localFailure({ operation: 'pending' }, 'the key store cannot be read', { cause });
        }),
    };
}
/** The methods with their errors as values. What is a list has a name in its result. */
function safely({ queued, models, pending, ...router }) {
    return settled({
        ...router,
        queued: async (...args) => queued(...args),
        models: async (...args) => {
            const all = [];
            for await (const model of models(...args))
                all.push(model);
            return { models: all };
        },
        pending: async () => ({ calls: await pending() }),
    });
}
function connect(options, { brand, apiKeyHeader }) {
    const address = options.baseUrl ?? environment('MODEL_ROUTER_URL');
    if (address === undefined)
        throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
    const baseUrl = address.replace(/\/+$/, '');
    const trustedOrigins = new Set([baseUrl, ...(options.trustedOrigins ?? [])].map(checkedOrigin));
    if (new Headers(options.headers).has('Idempotency-Key'))
        throw misconfigured('a key belongs to one call: give it as the option key of that call');
    if (options.apiKey !== undefined && options.token !== undefined)
        throw misconfigured('give apiKey or token, not both');
    const { clock = systemClock, limits = {}, maxAttempts = 4, runTimeoutMs = 11 * 60_000 } = options;
    // A number that is none would compare as false everywhere: no attempt would be the last one.
    const { concurrency = 1 } = limits;
    if (!(concurrency >= 1 && maxAttempts >= 1 && runTimeoutMs > 0))
        throw misconfigured('limits.concurrency, maxAttempts and runTimeoutMs are at least 1');
    return {
        baseUrl,
        trustedOrigins,
        brand: brand.toLowerCase(),
        credential: createCredential(chooseSecret(options, apiKeyHeader)),
        headers: options.headers ?? {},
        fetch: options.fetch === undefined ? createPatientFetch() : toTransport(options.fetch),
        clock,
        limits: createLimits(limits, clock),
        observers: options.observers ?? options.hooks ?? {},
        maxAttempts,
        runTimeoutMs,
    };
}
function chooseSecret({ apiKey, token, credentialScope: scope }, apiKeyHeader) {
    const key = apiKey ?? (token === undefined ? environment('MODEL_ROUTER_API_KEY') : undefined);
    if (key !== undefined)
        return { header: apiKeyHeader, secret: key, scope };
    const secret = token ?? environment('MODEL_ROUTER_TOKEN');
    if (secret === undefined)
        throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
    return { header: 'Authorization', secret, scope };
}
function environment(name) {
    const { process } = globalThis; // absent in browsers
    return process?.env?.[name] || undefined;
}
function checkedOrigin(address) {
    const origin = readOrigin(address);
    if (origin !== undefined)
        return origin;
    throw misconfigured('baseUrl and trustedOrigins are absolute addresses of http or https, without a user name');
}
function misconfigured(message) {
    return new TypeError(`createModelRouter: ${message}`);
}
