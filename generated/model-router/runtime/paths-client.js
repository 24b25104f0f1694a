/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import createClient, {} from 'openapi-fetch';
/** Creates an openapi-fetch client with the credential. It has no retries, idempotency keys, deadlines or limits. */
export function createPathsClient({ baseUrl, token, fetch, apiKey }, apiKeyHeader) {
    return createClient({
        baseUrl,
        // Platforms would send `X-API-Key` to a different origin after a redirect, and neither API uses redirects.
        redirect: 'error',
        headers: {
            ...(apiKey === undefined || apiKeyHeader === undefined ? {} : { [apiKeyHeader]: apiKey }),
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        ...(fetch === undefined ? {} : { fetch }),
    });
}
