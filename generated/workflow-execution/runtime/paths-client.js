import createClient from 'openapi-fetch';
export function createPathsClient(options) {
    return createClient({
        baseUrl: options.baseUrl,
        headers: {
            ...(options.apiKey === undefined ? {} : { 'X-API-Key': options.apiKey }),
            ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
        },
        ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    });
}
