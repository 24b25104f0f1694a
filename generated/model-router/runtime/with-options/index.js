/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { omitUndefined } from '../http/omit-undefined.js';
import { connect, connectionOf } from '../router/connection.js';
import { createRouter } from '../router/create-router.js';
/** Returns a router with other options. Shares the key store, limits, middleware and credential, unless they change. */
export function withOptions(router, changes) {
    const client = router[connectionOf];
    const { keyStore, limits, credentialScope, apiKey, token, observers, debug = false } = changes;
    const { keys, keysOfRequests, budget, credential, options, facts } = client;
    const isOther = apiKey !== undefined || token !== undefined;
    // A different credential is assumed to have a different owner, unless the caller passes its scope.
    const none = isOther ? { apiKey: undefined, token: undefined, credentialScope: undefined } : {};
    const connection = connect({ ...options, ...none, ...omitUndefined(changes), observers, debug }, facts);
    const shared = {
        ...connection,
        budget,
        keysOfRequests,
        parts: [...client.parts, ...connection.parts],
        ...(keyStore ? {} : { keys }),
        ...(limits ? {} : { limits: client.limits }),
        ...(isOther || credentialScope !== undefined ? {} : { credential }),
    };
    return createRouter(shared);
}
