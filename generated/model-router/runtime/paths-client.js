import createClient from 'openapi-fetch';
/** `apiKeyHeader`: where the API takes an API key; without it a key is not sent. */
export function createPathsClient(options, apiKeyHeader) {
    const { apiKey } = options;
    return createClient({
        baseUrl: options.baseUrl,
        // Platforms follow a redirect to another origin with `X-API-Key`, and neither API has redirects.
        redirect: 'error',
        headers: {
            ...(apiKey === undefined || apiKeyHeader === undefined ? {} : { [apiKeyHeader]: apiKey }),
            ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
        },
        ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    });
}
