/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { isSegment, readBaseUrl, readOrigin, readVariable } from '../http/base-url.js';
import { readClientOptions } from '../http/call.js';
import { createCredential } from '../http/credential.js';
import { createMemoryKeyStore } from './key-store.js';
import { createLimits } from './limits.js';
import { createError, createLocalError } from './router-error.js';
// `Symbol.for`, because a program may contain two copies of a package.
/** Member of a router that holds its connection, for functions in other entry points. */
export const connectionOf = Symbol.for('connection of a model router');
/** Resolves the options of a router. Throws for invalid options. `caller`: name of the function that the program called. */
export function connect(options, facts, caller = 'createModelRouter') {
    const { baseUrl: givenUrl = readVariable('MODEL_ROUTER_URL'), apiKey = options.token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined, token = apiKey ?? readVariable('MODEL_ROUTER_TOKEN'), credentialScope: scope, keyStore, trustedOrigins = [], addresses, limits = {}, ...others } = options;
    const reject = (message) => new TypeError(`${caller}: ${message}`);
    if (givenUrl === undefined)
        throw reject('no base URL: set baseUrl or MODEL_ROUTER_URL');
    if (!token)
        throw reject('no credential: set apiKey, token or MODEL_ROUTER_API_KEY');
    if (options.apiKey !== undefined && options.token !== undefined)
        throw reject('set apiKey or token, not both');
    const baseUrl = readBaseUrl(givenUrl, '/v2', `${caller}: baseUrl`);
    const defaults = {
        maxAttempts: 4,
        runTimeoutMs: 660_000,
        maxWaitMs: 600_000,
        idleTimeoutMs: 60_000,
        maxResponseBytes: 256 * 1024 * 1024,
    };
    const shared = readClientOptions('model-router', defaults, others);
    const { clock } = shared;
    const header = apiKey === undefined ? 'Authorization' : facts.apiKeyHeader;
    return {
        ...shared,
        baseUrl,
        trustedOrigins: new Set([baseUrl, ...trustedOrigins].map((one) => readOrigin(one, `${caller}: trustedOrigins`))),
        mapsToBaseUrl: addresses !== 'follow',
        credential: createCredential({ header, secret: token, scope }),
        limits: createLimits(limits, clock),
        keys: keyStore ?? createMemoryKeyStore({ clock }),
        keysOfRequests: new Map(),
        fail: createError,
        options,
        facts: { ...facts, brand: facts.brand.toLowerCase() },
    };
}
export const splitId = (id) => /^([^/]*)\/(.*)$/s.exec(id)?.slice(1) ?? [];
/** Returns the URL of the call's model. Throws a `local` error for an id that is not `provider/model`. */
export function buildModelUrl({ baseUrl }, call) {
    const segments = splitId(call.model); // Required by MR-CAT-33.
    if (segments.length === 0 || !segments.every(isSegment) || call.model.length > 193)
        throw createLocalError(call, 'a model id must have the form provider/model');
    return `${baseUrl}/v2/models/${segments.map(encodeURIComponent).join('/')}`;
}
/** Returns a query string with its spec mark; empty without values. */
export function formatQuery(values) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(values))
        if (value !== undefined)
            query.append(name, value);
    const text = query.toString();
    return text === '' ? '' : `?${text}`;
}
