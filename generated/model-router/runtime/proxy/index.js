/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { systemClock, withDeadline } from '../http/clock.js';
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
    const { baseUrl: routerUrl, apiKey, token } = options;
    const name = 'createModelRouterProxy';
    const { baseUrl, credential } = connect({ baseUrl: routerUrl, apiKey, token }, { brand: '', apiKeyHeader }, name);
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
            return createErrorResponse(404, 'not an operation of the Model Router API');
        const { operation, segments } = route;
        const user = await findUser(request);
        if (user === undefined || user === null || user === '')
            return createErrorResponse(401, 'sign in first');
        // Keys are bound to the id, so users whose ids were converted to the same text would share runs.
        if (typeof user !== 'string')
            throw new TypeError(`${name}: findUser must return a string or undefined`);
        const [provider, model, , requestId] = segments;
        const id = provider === undefined ? undefined : `${provider}/${model}`;
        if (allowed !== undefined && id === undefined)
            return createErrorResponse(403, "the catalog is only served with models: 'all'");
        if (allowed !== undefined && !allowed.some((one) => one === id))
            return createErrorResponse(403, 'this model is not allowed');
        const startsRun = operation === 'runModel' || operation === 'submitRequest';
        const decision = authorize ? await authorize({ operation, startsRun, model: id, requestId, user, request }) : true;
        if (decision instanceof Response)
            return decision;
        if (decision !== true)
            return createErrorResponse(403, 'this call is not allowed');
        // The page may disconnect while it sends the body.
        const body = await readBytes(request, maxRequestBytes).catch(() => null);
        if (body === null)
            return createErrorResponse(400, 'the body is incomplete');
        if (body === undefined)
            return createErrorResponse(413, `the body is larger than ${maxRequestBytes} bytes`);
        const forwarded = forwardedHeaders.map((name) => [name, request.headers.get(name)]);
        const key = request.headers.get('idempotency-key');
        if (key !== null)
            forwarded.push(['idempotency-key', await bindKey(user, key)]);
        const path = segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
        const forward = (access) => {
            const headers = new Headers(access.headers);
            for (const [header, value] of forwarded)
                if (value)
                    headers.set(header, value);
            return sendWithin(timeoutMs, request.signal, (signal) => send(`${baseUrl}/v2/models${path}${search}`, {
                method: request.method,
                headers,
                body: body.length === 0 ? null : body.slice(), // A copy has the buffer type that `fetch` accepts.
                signal,
                redirect: 'manual',
            })).catch(() => undefined);
        };
        const access = await credential.read();
        let response = await forward(access);
        if (response?.status === 401) {
            // The router rejects this server's credential, not that of the page. A function may return a renewed one.
            void response.body?.cancel();
            const renewed = await credential.read();
            if (renewed.secret !== access.secret)
                response = await forward(renewed);
            if (response?.status === 401)
                return createErrorResponse(502, "the router rejected this server's credential");
        }
        if (response === undefined)
            return createErrorResponse(502, 'the router could not be reached, or did not answer in time');
        const isRedirect = response.status >= 300 && response.status < 400 && response.status !== 304;
        if (isRedirect || response.type === 'opaqueredirect')
            return createErrorResponse(502, 'the router answered with a redirect');
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
/**
 * Sends a request. The page can abort it at any time; the timeout ends only the wait for the response. Some edge runtimes
 * have no `AbortSignal.any`, and `AbortSignal.timeout` would keep each request in memory until the timeout.
 */
function sendWithin(timeoutMs, pageSignal, request) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    pageSignal.addEventListener('abort', abort);
    if (pageSignal.aborted)
        abort();
    const time = { clock: systemClock, signal: pageSignal, endsAt: Infinity, isIdle: true };
    return withDeadline(request(controller.signal), time, timeoutMs).catch((error) => {
        abort();
        throw error;
    });
}
/** Hashes user and key with their lengths, so that `bob` with `smith.K` differs from `bob.smith` with `K`. */
async function bindKey(user, key) {
    const text = new TextEncoder();
    const parts = [user, key].map((part) => `${text.encode(part).length}:${part}`);
    return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', text.encode(parts.join('')))));
}
function createErrorResponse(status, detail) {
    // The categories that the router itself uses for these statuses.
    const categories = { 400: 'invalid_input', 401: 'unauthorized', 403: 'forbidden' };
    return Response.json({ detail, error_type: categories[status === 413 ? 400 : status] }, { status });
}
