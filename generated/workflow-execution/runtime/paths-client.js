import createClient from 'openapi-fetch';
/** `apiKeyHeader`: where the API takes an API key; without it a key is not sent. */
export function createPathsClient(options, apiKeyHeader) {
    const { apiKey } = options;
    return createClient({
        baseUrl: options.baseUrl,
        headers: {
            ...(apiKey === undefined || apiKeyHeader === undefined ? {} : { [apiKeyHeader]: apiKey }),
            ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
        },
        ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    });
}
