/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
/**
 * Adapts a `Request → Response` handler, such as `createModelRouterProxy` returns, to Express, Connect and `node:http`.
 * The signal of the request aborts when the caller disconnects.
 */
export function toNodeHandler(handler) {
    return async (incoming, outgoing) => {
        const { method = 'GET', originalUrl, url = '/', headersDistinct, body } = incoming;
        const headers = new Headers();
        for (const [name, values = []] of Object.entries(headersDistinct))
            for (const value of values)
                headers.append(name, value);
        const disconnected = new AbortController();
        outgoing.once('close', () => disconnected.abort());
        const hasBody = method !== 'GET' && method !== 'HEAD';
        const request = new Request(new URL(originalUrl ?? url, 'http://localhost'), {
            method,
            headers,
            signal: disconnected.signal,
            ...(hasBody && { body: body === undefined ? Readable.toWeb(incoming) : printParsedBody(body), duplex: 'half' }),
        }); // Node's types of a stream differ from those of browsers.
        const response = await handler(request);
        outgoing.statusCode = response.status;
        outgoing.setHeaders(response.headers);
        if (response.body === null)
            outgoing.end();
        else
            await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => undefined); // The caller left.
    };
}
function printParsedBody(body) {
    if (typeof body === 'string')
        return body;
    if (body instanceof Uint8Array)
        return new Uint8Array(body);
    return JSON.stringify(body);
}
