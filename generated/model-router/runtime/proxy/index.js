/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { toHex } from '../http/credential.js';
import { removeTimeouts } from '../http/patient-fetch.js';
import { readBytes } from '../http/read-body.js';
import { connect } from '../router/connection.js';
/** Operations by method and by path after `/v2/models`; `*` matches any segment. */
const operations = [
    ['listModels', 'GET'],
    ['readModel', 'GET', '*', '*'],
    ['runModel', 'POST', '*', '*'],
    ['readModelSchema', 'GET', '*', '*', 'openapi.json'],
    ['submitRequest', 'POST', '*', '*', 'requests'],
    ['collectRequest', 'GET', '*', '*', 'requests', '*'],
    ['readRequestStatus', 'GET', '*', '*', 'requests', '*', 'status'],
    ['cancelRequest', 'PUT', '*', '*', 'requests', '*', 'cancel'],
];
const forwardedHeaders = ['accept', 'content-encoding', 'content-type', 'if-none-match'];
const returnedHeaders = /^(?:content-type|content-disposition|etag|cache-control|retry-after|idempotent-replayed|x-.+)$/;
/**
 * Creates a handler that forwards the calls of a page with the server's own credential, not the page's. Idempotency keys
 * are bound to the user. If the page disconnects, its run continues, and the same key collects it.
 */
export function createModelRouterProxy(options) {
    const { models, findUser, authorize, basePath = '', apiKeyHeader = 'X-API-Key' } = options;
    const { maxRequestBytes = 10 * 1024 * 1024, timeoutMs = 660_000 } = options;
    const { baseUrl: address, apiKey, token } = options;
    const name = 'createModelRouterProxy';
    const { baseUrl, credential } = connect({ baseUrl: address, apiKey, token }, { brand: '', apiKeyHeader }, name);
    if (typeof findUser !== 'function')
        throw new TypeError(`${name}: findUser must be a function`);
    if (models !== 'all' && !Array.isArray(models))
        throw new TypeError(`${name}: models must be a list of models, or 'all'`);
    const allowed = models === 'all' ? undefined : models.map((one) => (typeof one === 'string' ? one : one.id));
    const send = options.fetch ?? ((url, init) => globalThis.fetch(url, { ...init, ...removeTimeouts() }));
    return async (request) => {
        const { pathname, search } = new URL(request.url);
        const route = findRoute(request.method, pathname, basePath);
        if (route === undefined)
            return refuse(404, 'not an operation of the Model Router API');
        const { operation, segments } = route;
        const user = await findUser(request);
        if (user === undefined || user === '')
            return refuse(401, 'sign in first');
        const [provider, model, , requestId] = segments;
        const id = provider === undefined ? undefined : `${provider}/${model}`;
        if (allowed !== undefined && id === undefined)
            return refuse(403, "the catalog is only served with models: 'all'");
        if (allowed !== undefined && !allowed.some((one) => one === id))
            return refuse(403, 'this model is not allowed');
        const startsRun = operation === 'runModel' || operation === 'submitRequest';
        const decision = await authorize?.({ operation, startsRun, model: id, requestId, user, request });
        if (decision instanceof Response)
            return decision;
        if (decision === false)
            return refuse(403, 'this call is not allowed');
        // The page may disconnect while it sends the body.
        const body = await readBytes(request, maxRequestBytes).catch(() => null);
        if (body === null)
            return refuse(400, 'the body is incomplete');
        if (body === undefined)
            return refuse(413, `the body is larger than ${maxRequestBytes} bytes`);
        const headers = new Headers((await credential.read()).headers);
        for (const header of forwardedHeaders) {
            const value = request.headers.get(header);
            if (value !== null)
                headers.set(header, value);
        }
        const key = request.headers.get('idempotency-key');
        if (key !== null)
            headers.set('idempotency-key', await bindKey(user, key));
        const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
        const response = await send(`${baseUrl}/v2/models${path}${search}`, {
            method: request.method,
            headers,
            body: body.length === 0 ? null : body.slice(), // A copy has the buffer type that `fetch` accepts.
            signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
            redirect: 'manual',
        }).catch(() => undefined);
        if (response === undefined)
            return refuse(502, 'the router could not be reached, or did not answer in time');
        const isRedirect = response.status >= 300 && response.status < 400 && response.status !== 304;
        if (isRedirect || response.type === 'opaqueredirect')
            return refuse(502, 'the router answered with a redirect');
        const returned = [...response.headers].filter(([header]) => returnedHeaders.test(header));
        return new Response(response.body, { status: response.status, headers: returned });
    };
}
function findRoute(method, pathname, basePath) {
    const prefix = `${basePath.replace(/\/+$/, '')}/v2/models`;
    if (pathname !== prefix && !pathname.startsWith(`${prefix}/`))
        return undefined;
    let segments;
    try {
        segments = pathname.slice(prefix.length).split('/').slice(1).map(decodeURIComponent);
    }
    catch {
        return undefined;
    }
    // The router may interpret an empty or dot segment, a separator or a control character differently.
    if (segments.some((segment) => /^\.{0,2}$|[/\\\p{Cc}]/u.test(segment)))
        return undefined;
    const row = operations.find(([, wanted, ...path]) => method === wanted &&
        path.length === segments.length &&
        path.every((part, index) => part === '*' || part === segments[index]));
    return row && { operation: row[0], segments };
}
/** Hashes user and key with their lengths, so that `bob` with `smith.K` differs from `bob.smith` with `K`. */
async function bindKey(user, key) {
    const text = new TextEncoder();
    const parts = [user, key].map((part) => `${text.encode(part).length}:${part}`);
    return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', text.encode(parts.join('')))));
}
function refuse(status, detail) {
    // The categories that the router itself uses for these statuses.
    const categories = { 400: 'invalid_input', 401: 'unauthorized', 403: 'forbidden' };
    return Response.json({ detail, error_type: categories[status === 413 ? 400 : status] }, { status });
}
