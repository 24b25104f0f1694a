/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.js';
import { readClientOptions } from '../http/call.js';
import { createCredential } from '../http/credential.js';
import { createMemoryKeyStore } from './key-store.js';
import { createLimits } from './limits.js';
import { fail } from './router-error.js';
// `Symbol.for`, because a program may contain two copies of a package.
/** Member of a router that holds its connection, for functions in other entry points. */
export const connectionOf = Symbol.for('connection of a model router');
/** Resolves the options of a router. Throws for invalid options. `caller`: name of the function that the program called. */
export function connect(options, facts, caller = 'createModelRouter') {
    const { baseUrl: address = readVariable('MODEL_ROUTER_URL'), apiKey = options.token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined, token = apiKey ?? readVariable('MODEL_ROUTER_TOKEN'), credentialScope: scope, keyStore, trustedOrigins = [], addresses, limits = {}, ...others } = options;
    const refuse = (message) => new TypeError(`${caller}: ${message}`);
    if (address === undefined)
        throw refuse('no address: set baseUrl or MODEL_ROUTER_URL');
    if (token === undefined)
        throw refuse('no credential: set apiKey, token or MODEL_ROUTER_API_KEY');
    if (token === '')
        throw refuse(`${apiKey === '' ? 'apiKey' : 'token'} is empty`);
    if (options.apiKey !== undefined && options.token !== undefined)
        throw refuse('set apiKey or token, not both');
    if (!((limits.requestsInFlight ?? 1) >= 1))
        throw refuse('limits.requestsInFlight must be a positive number');
    const baseUrl = readBaseUrl(address, '/v2', `${caller}: baseUrl`);
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
        mapsAddresses: addresses !== 'follow',
        credential: createCredential({ header, secret: token, scope }),
        limits: createLimits(limits, clock),
        keys: keyStore ?? createMemoryKeyStore({ clock }),
        keysOfRequests: new Map(),
        fail,
        options,
        facts: { ...facts, brand: facts.brand.toLowerCase() },
    };
}
