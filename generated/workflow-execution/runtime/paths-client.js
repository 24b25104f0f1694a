/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import createClient from 'openapi-fetch';
import { readAnswer } from './paths-answer.js';
const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];
export function createPathsClient({ baseUrl, token, fetch, apiKey }, { operations, apiKeyHeader }) {
    const client = createClient({
        baseUrl,
        // Platforms follow a redirect to another origin with `X-API-Key`, and neither API has redirects.
        redirect: 'error',
        headers: {
            ...(apiKey === undefined || apiKeyHeader === undefined ? {} : { [apiKeyHeader]: apiKey }),
            ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
        ...(fetch === undefined ? {} : { fetch }),
    });
    const answers = new WeakMap();
    // Registered first, so it comes last: the middlewares of callers see responses as they arrive.
    client.use(readingMiddleware(operations, answers));
    const call = (method) => async (path, options) => {
        const { response, ...parsed } = await client.request(method.toLowerCase(), path, options);
        return answers.get(response) ?? { ...parsed, response };
    };
    const { use, eject } = client;
    // The types of paths exist at compile time only.
    return { ...Object.fromEntries(methods.map((one) => [one, call(one)])), use, eject };
}
/** Reads bodies itself, since openapi-fetch would throw for what is no JSON; it gets an empty response in their place. */
function readingMiddleware(operations, answers) {
    const all = Object.values(operations);
    return {
        async onResponse({ request, response, schemaPath, options }) {
            if (response.ok && options.parseAs !== 'json')
                return undefined;
            const operation = all.find(({ method, path }) => method === request.method && path === schemaPath);
            const answer = await readAnswer(response, { operation, signal: request.signal });
            const standIn = new Response(null, { status: 204 });
            answers.set(standIn, answer);
            return standIn;
        },
    };
}
