import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Brand } from '../../../specs/src/index.ts';
import { type Bytes, newId } from '../digest.ts';
import { type App, jsonReply, type Reply, requestId, routerError, type ServerRequest, withBrand } from './messages.ts';
import { isAdminTarget } from './router.ts';

/** The part of a sandbox that `listen` uses. */
export type ServedApp = {
  handle: App;
  brand: Brand;
  /** True to serve the admin routes, false not to; undefined only serves them to callers on this machine. */
  adminRoutes: boolean | undefined;
  /** Maximum length of the body of a request to this target, in bytes. */
  bodyLimit(target: string): number;
};
export type Listening = { url: string; close(): Promise<void> };
/** Maximum time for the headers, for a whole request, and between two requests on a connection, in milliseconds. */
export type Timeouts = { headersMs: number; requestMs: number; idleMs: number };
export type ListenOptions = { port?: number; host?: string; timeouts?: Partial<Timeouts> };

const defaultTimeouts: Timeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 5_000 };
const maxHeaderBytes = 16 * 1024;

/** Serves the sandbox on a socket. Port 0 selects a free port. Rejects if the address is not available. */
export async function listen(
  served: ServedApp,
  { port = 0, host = '127.0.0.1', timeouts }: ListenOptions = {},
): Promise<Listening> {
  const { headersMs, requestMs, idleMs } = { ...defaultTimeouts, ...timeouts };
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: Math.min(1000, headersMs / 2),
    requireHostHeader: false, // A missing Host header is rejected below, with the error envelope.
  });
  const serveRequest = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const exchange = { incoming, outgoing };
    try {
      const request = await parseRequest(exchange, served.bodyLimit);
      if (request === 'cut off') return; // Node closes the connection, after an error response if the rest was malformed.
      if (request === 'malformed') return await sendReply(createErrorReply(served.brand), exchange);
      const isForbidden =
        isAdminTarget(request.target) && !mayUseAdmin(served, [host, incoming.socket.remoteAddress ?? ''], request);
      await sendReply(isForbidden ? adminForbidden : await served.handle(request), exchange);
    } catch {
      incoming.socket.destroy();
    }
  };
  server.on('request', serveRequest);
  server.on('checkExpectation', serveRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    socket.end(formatReply(createErrorReply(served.brand, error.code)), () => socket.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const actualPort = typeof address === 'object' && address !== null ? address.port : port;
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`, close };
}

type HttpExchange = { incoming: IncomingMessage; outgoing: ServerResponse };

/** Reads an HTTP/1 request as plain data. */
async function parseRequest(
  { incoming, outgoing }: HttpExchange,
  bodyLimit: (target: string) => number,
): Promise<ServerRequest | 'malformed' | 'cut off'> {
  const { origin, target } = readOriginAndTarget(incoming);
  if (origin === undefined || /[^\x21-\x7e]|\\/.test(target)) return 'malformed';
  const disconnected = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnected.abort();
  });
  // Joins repeated headers, because `incoming.headers` drops some of them.
  const headers = Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
  const request = { method: incoming.method ?? 'GET', origin, target, headers: Object.fromEntries(headers) };
  try {
    return { ...request, body: await readBody(incoming, bodyLimit(target)), signal: disconnected.signal };
  } catch {
    return 'cut off';
  }
}

/**
 * Splits the URL, which may be in absolute form, with the host before the target. Without exactly one valid host, `origin` is
 * undefined.
 */
function readOriginAndTarget(incoming: IncomingMessage): { origin: string | undefined; target: string } {
  const { url = '', headersDistinct } = incoming;
  const [absolute = '', namedHost] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? [];
  const rest = url.slice(absolute.length);
  const target = rest.startsWith('/') || absolute === '' ? rest : `/${rest}`;
  // If there were two Host lines, a proxy and this server could use different ones (RFC 9112, 3.2).
  const [host = '', ...more] = headersDistinct['host'] ?? [];
  return { origin: more.length > 0 || host === '' ? undefined : parseOrigin(namedHost ?? host), target };
}

function parseOrigin(host: string): string | undefined {
  return /^[^\s/?#@\\]+$/.test(host) ? URL.parse(`http://${host}`)?.origin : undefined;
}

/** Reads a body. If it exceeds the limit, leaves the stream open, so that a slow sender gets the error instead of a broken pipe. */
async function readBody(incoming: IncomingMessage, limitBytes: number): Promise<Bytes | 'too-large'> {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && length === '0') return new Uint8Array(0);
  if (Number(length) > limitBytes) return 'too-large';
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    total += chunk.length;
    if (total > limitBytes) return 'too-large';
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * True if the caller may use the admin routes. By default, these are programs on this machine and the console page. Other pages may
 * only link to the console.
 */
function mayUseAdmin({ adminRoutes }: ServedApp, addresses: readonly string[], request: ServerRequest): boolean {
  if (adminRoutes !== undefined) return adminRoutes;
  const requestedHost = new URL(request.origin).hostname.replace(/^\[(.*)\]$/, '$1');
  const { origin = request.origin, 'sec-fetch-site': site = 'none', 'sec-fetch-dest': destination } = request.headers;
  const isOwnPage = ['none', 'same-origin'].includes(site) || (destination === 'document' && request.method === 'GET');
  return [...addresses, requestedHost].every(isLoopback) && origin === request.origin && isOwnPage;
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address);
}

const adminForbidden = jsonReply(403, {
  error: 'admin routes are only served to programs on this machine, and only if the sandbox listens on loopback',
});

async function sendReply(reply: Reply, { incoming, outgoing }: HttpExchange): Promise<void> {
  if (reply.raw !== undefined) {
    return void incoming.socket.end(reply.raw);
  }
  const { status, body } = reply;
  const headers = Object.entries(reply.headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  const hasBody = status >= 200 && status !== 204 && status !== 304;
  const length: [string, string][] = hasBody ? [['Content-Length', String(Buffer.byteLength(body))]] : [];
  outgoing.writeHead(status, [...headers, ...length].flat());
  if (!incoming.complete && hasBody) {
    outgoing.write(body);
    // Reads the rest of the request, because closing the connection now would interrupt the sender before it reads the reply.
    await finished(incoming.resume(), { signal: AbortSignal.timeout(maxDiscardMs) }).catch(() => undefined);
    return void outgoing.end();
  }
  outgoing.end(hasBody ? body : undefined);
}

/** Maximum time (ms) for reading the rest of a request that was rejected early. */
const maxDiscardMs = 2000;

/** Status and detail of the reply to an invalid request, by Node's error code. With any other code, the request is malformed. */
const errorsByNodeCode: ReadonlyMap<string, readonly [status: number, detail: string]> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request took too long to arrive.']],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The request body is too large.']],
  ['HPE_HEADER_OVERFLOW', [431, 'The request headers are too large.']],
]);

/** Creates the reply to a malformed request. It has the router's envelope, because the API of such a request is unknown. */
function createErrorReply(brand: Brand, code = ''): Reply {
  const [status, detail] = errorsByNodeCode.get(code) ?? [400, 'The request is not well-formed HTTP.'];
  const headers = { Connection: 'close', [requestId]: newId() };
  return withBrand(routerError(status, 'invalid_input', detail, headers), brand);
}

/** Formats a reply as HTTP, for sockets on which Node could not parse the request. */
function formatReply({ status, headers, body }: Reply): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines];
  return `${[...head, `content-length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`;
}
