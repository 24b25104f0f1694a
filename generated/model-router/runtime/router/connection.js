/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readBaseUrl, readOrigin, readVariable } from '../http/base-url.js';
import { readClientOptions } from '../http/call.js';
import { createCredential } from '../http/credential.js';
import { createPatientFetch } from '../http/patient-fetch.js';
import { fail } from './failures.js';
import { createMemoryKeyStore } from './key-store.js';
import { createLimits } from './limits.js';
/**
 * The member of a router that holds its connection, for the functions of the other entry points. Named in the whole program, which may
 * hold two copies of a package.
 */
export const connectionOf = Symbol.for('connection of a model router');
export function connect(options, facts) {
    const { baseUrl: address = readVariable('MODEL_ROUTER_URL'), apiKey = options.token === undefined ? readVariable('MODEL_ROUTER_API_KEY') : undefined, token = apiKey ?? readVariable('MODEL_ROUTER_TOKEN'), credentialScope: scope, keyStore, trustedOrigins = [], addresses, recoverEqualCalls, fetch, limits = {}, ...others } = options;
    if (address === undefined)
        throw misconfigured('no address: give baseUrl or set MODEL_ROUTER_URL');
    if (token === undefined)
        throw misconfigured('no credential: give apiKey or token, or set MODEL_ROUTER_API_KEY');
    if (apiKey === '' || token === '')
        throw misconfigured(`${apiKey === '' ? 'apiKey' : 'token'} is empty`);
    if (recoverEqualCalls !== undefined && !recoverEqualCalls.scope)
        throw misconfigured('recoverEqualCalls needs a scope');
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
    if (!((limits.requestsInFlight ?? 1) >= 1))
        throw misconfigured('limits.requestsInFlight must be a positive number');
    return {
        ...shared,
        baseUrl,
        trustedOrigins: new Set([baseUrl, ...trustedOrigins].map((one) => readOrigin(one, 'createModelRouter: one of trustedOrigins'))),
        mapsAddresses: addresses !== 'follow',
        brand: facts.brand.toLowerCase(),
        credential: createCredential({
            header: apiKey === undefined ? 'Authorization' : facts.apiKeyHeader,
            secret: token,
            scope,
        }),
        fetch: fetch ?? createPatientFetch(),
        limits: createLimits(limits, shared.clock),
        keys: keyStore ?? createMemoryKeyStore({ clock: shared.clock }),
        hasOwnKeys: keyStore === undefined,
        recoverScope: recoverEqualCalls?.scope,
        fail,
        options,
        facts,
    };
}
function misconfigured(message) {
    return new TypeError(`createModelRouter: ${message}`);
}
