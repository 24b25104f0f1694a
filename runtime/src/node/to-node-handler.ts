import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type Incoming = IncomingMessage & {
  /** Set by Express if the application is mounted below a path. */
  readonly originalUrl?: string;
  /** Set by middleware that has already read the body, such as `express.json()`. */
  readonly body?: unknown;
};

/**
 * Adapts a `Request → Response` handler, such as the result of `createModelRouterProxy`, to Express, Connect and
 * `node:http`. The request's signal aborts when the caller disconnects.
 */
export function toNodeHandler(
  handler: (request: Request) => Promise<Response>,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming: Incoming, outgoing) => {
    const { method = 'GET', originalUrl, url = '/', headersDistinct, body } = incoming;
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(headersDistinct))
      for (const value of values) headers.append(name, value);
    const disconnected = new AbortController();
    outgoing.once('close', () => disconnected.abort());
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const request = new Request(new URL(originalUrl ?? url, 'http://localhost'), {
      method,
      headers,
      signal: disconnected.signal,
      ...(hasBody && { body: body === undefined ? Readable.toWeb(incoming) : printParsedBody(body), duplex: 'half' }),
    } as RequestInit); // Node's stream types differ from those of browsers.
    const response = await handler(request);
    outgoing.statusCode = response.status;
    outgoing.setHeaders(response.headers);
    if (response.body === null) outgoing.end();
    // The caller has disconnected.
    else await pipeline(Readable.fromWeb(response.body as never), outgoing).catch(() => undefined);
  };
}

function printParsedBody(body: unknown): BodyInit {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return JSON.stringify(body);
}
