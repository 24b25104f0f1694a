import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Brand, headerName } from '../../../specs/src/index.ts';
import { newId } from '../digest.ts';
import { jsonReply, routerError, toServerReply, withHeaders, withServiceHeaders } from './handler.ts';
import type { App, RawReply, ServerReply, ServerRequest } from './messages.ts';
import { isAdminPath, splitTarget } from './router.ts';
import { bracketed, discardRest, type Exchange, readRequest } from './socket-request.ts';

/** What is served on a socket. */
export type Served = {
  handle: App;
  brand: Brand;
  /** Whether admin routes are served; undefined serves them to callers on this machine. */
  adminRoutes: boolean | undefined;
  /** The longest body that is read for a target, in bytes. */
  bodyLimit(target: string): number;
};
export type Listening = { url: string; close(): Promise<void> };
/** How long a connection may take for its headers, for a whole request, and between two requests, in milliseconds. */
export type Timeouts = { headersMs: number; requestMs: number; idleMs: number };
export type ListenOptions = { port: number; host: string; timeouts?: Partial<Timeouts> };

const defaultTimeouts: Timeouts = { headersMs: 10_000, requestMs: 30_000, idleMs: 5_000 };
const longestHeadersBytes = 16 * 1024;

/** Serves the sandbox on a socket; port 0 takes a free one. Rejects when the address cannot be had. */
export async function listen(served: Served, { port, host, timeouts }: ListenOptions): Promise<Listening> {
  const server = openServer(served, host, { ...defaultTimeouts, ...timeouts });
  return new Promise((opened, failed) => {
    server.once('error', failed);
    server.listen(port, host, () => {
      const address = server.address();
      const actualPort = typeof address === 'object' && address !== null ? address.port : port;
      const close = (): Promise<void> =>
        new Promise((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      opened({ url: `http://${bracketed(host)}:${actualPort}`, close });
    });
  });
}

function openServer(served: Served, host: string, timeouts: Timeouts): Server {
  const server = createServer({
    maxHeaderSize: longestHeadersBytes,
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.idleMs,
    connectionsCheckingInterval: Math.min(1000, timeouts.headersMs / 2),
    requireHostHeader: false, // refused below, in the envelope
  });
  const take = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    void exchange(served, host, { incoming, outgoing });
  };
  server.on('request', take);
  server.on('checkExpectation', take);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    socket.end(asText(refusal(statusOf(error), served.brand)), () => socket.destroy());
  });
  return server;
}

async function exchange(served: Served, host: string, { incoming, outgoing }: Exchange): Promise<void> {
  try {
    const request = await readRequest({ incoming, outgoing }, served.bodyLimit);
    if (request === 'cut off') return; // node ends the connection, after a refusal where the rest was malformed
    if (request === 'malformed') return await send(refusal(400, served.brand), { incoming, outgoing });
    const isForbidden =
      isAdminPath(splitTarget(request.target).path) && !mayUseAdmin(served, host, { incoming, request });
    await send(isForbidden ? adminRefusal : await served.handle(request), { incoming, outgoing });
  } catch {
    incoming.socket.destroy();
  }
}

/** Not another machine, and not a page in this machine's browser, which could only guess the address. */
function mayUseAdmin(
  { adminRoutes }: Served,
  host: string,
  { incoming, request }: { incoming: IncomingMessage; request: ServerRequest },
): boolean {
  if (adminRoutes !== undefined) return adminRoutes;
  const named = new URL(request.origin).hostname.replace(/^\[(.*)\]$/, '$1');
  const places = [host, incoming.socket.remoteAddress ?? '', named];
  return places.every(isLoopback) && request.headers['origin'] === undefined;
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address);
}

const adminRefusal = toServerReply(jsonReply(403, { error: 'admin routes are served to this machine alone' }), String);

async function send(reply: ServerReply, { incoming, outgoing }: Exchange): Promise<void> {
  if (reply.raw !== undefined) return sendRaw(reply.raw, outgoing);
  const { status, body } = reply;
  const headers = Object.entries(reply.headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  const hasBody = status >= 200 && status !== 204 && status !== 304;
  const length: [string, string][] = hasBody ? [['Content-Length', String(Buffer.byteLength(body))]] : [];
  outgoing.writeHead(status, [...headers, ...length].flat());
  if (!incoming.complete && hasBody) {
    outgoing.write(body);
    await discardRest(incoming);
    return void outgoing.end();
  }
  outgoing.end(hasBody ? body : undefined);
}

function sendRaw({ bytes, then }: RawReply, { socket }: ServerResponse): void {
  socket?.write(bytes, () => {
    if (then === 'close') socket.end();
    if (then === 'cut') socket.resetAndDestroy();
  });
}

const refusals: ReadonlyMap<number, { phrase: string; detail: string }> = new Map([
  [400, { phrase: 'Bad Request', detail: 'The request is not well-formed HTTP.' }],
  [408, { phrase: 'Request Timeout', detail: 'The request took too long to arrive.' }],
  [413, { phrase: 'Payload Too Large', detail: 'The request body is too large.' }],
  [431, { phrase: 'Request Header Fields Too Large', detail: 'The request headers are too large.' }],
]);

/** The router's envelope, because it is unknown which API a malformed request was for. */
function refusal(status: number, brand: Brand): ServerReply {
  const reply = routerError(status, 'invalid_input', refusals.get(status)?.detail ?? '');
  const closing = withServiceHeaders(withHeaders(reply, { Connection: 'close' }), { 'Request-Id': newId() });
  return toServerReply(closing, (suffix) => headerName(brand, suffix));
}

/** For a socket whose parser has given up. */
function asText({ status, headers, body }: ServerReply): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${refusals.get(status)?.phrase ?? ''}`, ...lines];
  return `${[...head, `content-length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`;
}

function statusOf(error: NodeJS.ErrnoException): number {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return 431;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 408;
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 413;
    default:
      return 400;
  }
}
