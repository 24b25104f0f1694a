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
 * Adapts a `Request → Response` handler to Express, Connect and `node:http`. The signal of the request aborts when the
 * caller disconnects. An error goes to `next`; without `next`, it is logged and answered with 500.
 */
export function toNodeHandler(handler) {
    // Never rejects: `node:http` doesn't await it, so a rejection would end the process.
    return async (incoming, outgoing, next) => {
        const disconnected = new AbortController();
        outgoing.once('close', () => disconnected.abort());
        let request;
        try {
            request = createRequest(incoming, disconnected.signal);
        }
        catch {
            outgoing.writeHead(400).end(); // A path such as `//`, or a method that `Request` rejects, such as TRACE.
            return;
        }
        try {
            if (lacksBody(incoming))
                throw new Error(bodyReadMessage);
            const response = await handler(request);
            outgoing.statusCode = response.status;
            outgoing.setHeaders(response.headers);
            if (response.body === null)
                outgoing.end();
            else
                await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => undefined); // The caller disconnected.
        }
        catch (error) {
            if (disconnected.signal.aborted)
                return;
            if (next !== undefined)
                return next(error);
            console.error(error);
            outgoing.writeHead(500).end();
        }
    };
}
const bodyReadMessage = 'toNodeHandler: the body was read before. Set `body` of the incoming message to it, or call the handler before the body parser.';
/** True if a parser has read the body and kept it elsewhere, as those of Fastify and Koa do. An empty body would be sent instead. */
function lacksBody({ body, headers, readableDidRead }) {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    return body === undefined && readableDidRead && hasBody;
}
function createRequest(incoming, signal) {
    const { method = 'GET', originalUrl, url = '/', headersDistinct, body } = incoming;
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(headersDistinct))
        for (const value of values)
            headers.append(name, value);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    return new Request(new URL(originalUrl ?? url, 'http://localhost'), {
        method,
        headers,
        signal,
        ...(hasBody && { body: body === undefined ? Readable.toWeb(incoming) : printParsedBody(body), duplex: 'half' }),
    }); // Node's types of a stream differ from those of browsers.
}
function printParsedBody(body) {
    if (typeof body === 'string')
        return body;
    if (body instanceof Uint8Array)
        return new Uint8Array(body);
    return JSON.stringify(body);
}
