import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { byTurns } from './by-turns.ts';
import { sandboxCredentials } from './credentials.ts';
import { rememberExchange } from './direct-exchange.ts';
import { mindHalfClosed } from './half-closed.ts';
import { letThrough } from './let-through.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { answer, isOperatorPath } from './operator/operator.ts';
import { pathOf, rememberRawTarget } from './raw-target.ts';
import { rehearse } from './rehearse.ts';
import type { Sandbox } from './sandbox.ts';
import { socketExchange } from './socket-exchange.ts';
import { type WireAnswer, wireAnswerOf } from './wire-answer.ts';
import { hasOneHost, settleHost } from './wire-host.ts';
import { rawWireRefusal, wireRefusal } from './wire-refusal.ts';

export type Listening = { url: string; close(): Promise<void> };
/** How long a connection may take for its headers, for a whole request, and between two requests, in milliseconds. */
export type Patience = { headersMs: number; requestMs: number; idleMs: number };
export type ListenOptions = { port: number; host: string; patience?: Partial<Patience> };

const defaultPatience: Patience = { headersMs: 10_000, requestMs: 30_000, idleMs: 5_000 };
const longestHeadersBytes = 16 * 1024;

const rehearsals = 12; // of the calls after these, none takes much longer than the one before it
const submission = [
  'POST /v2/models/sandbox/outcomes/requests HTTP/1.1',
  'Host: 127.0.0.1',
  `X-API-Key: ${sandboxCredentials.router.main}`,
  'Content-Type: application/json',
  'Content-Length: 2',
  '',
  '{}',
].join('\r\n');

/** Serves the sandbox on a socket; port 0 takes a free one. Rejects when the address cannot be had. */
export async function listen(sandbox: Sandbox, { port, host, patience }: ListenOptions): Promise<Listening> {
  const patient = { ...defaultPatience, ...patience };
  sandbox.prepare();
  const understudy = sandbox.understudy();
  await rehearse(openServer(understudy, host, patient), submission, rehearsals);
  understudy.close();
  const server = openServer(sandbox, host, patient);
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
      opened({ url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`, close });
    });
  });
}

function openServer(sandbox: Sandbox, host: string, patience: Patience): Server {
  const { brand } = sandbox;
  const listener = getRequestListener(
    // Only HTTP/1 is spoken here, so these are its messages.
    (request, bindings) => serve(sandbox, request, { host, ...(bindings as Exchange) }),
    // Node itself reads on to the end of a refused body, so that a slow sender sees the refusal and not a broken pipe.
    {
      hostname: host,
      overrideGlobalObjects: false,
      autoCleanupIncoming: false,
      errorHandler: (error) => refuseUnreadable(error, brand),
    },
  );
  const server = createServer({
    maxHeaderSize: longestHeadersBytes,
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: patience.idleMs,
    connectionsCheckingInterval: Math.min(1000, patience.headersMs / 2),
    requireHostHeader: false, // refused below, in the envelope
  });
  const halfClosed = mindHalfClosed(server);
  const turns = byTurns<Exchange>({
    hold: ({ incoming }) => halfClosed.hold(incoming.socket),
    serve({ incoming, outgoing }) {
      settleHost(incoming);
      void listener(incoming, outgoing);
      halfClosed.serve(incoming.socket);
    },
  });
  const take = oneAtATime((incoming: IncomingMessage, outgoing: ServerResponse) => turns.take({ incoming, outgoing }));
  server.on('connection', turns.letIn);
  server.on('request', take);
  server.on('checkExpectation', take);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    void rawWireRefusal(statusOf(error), brand).then((text) => socket.end(text, () => socket.destroy()));
  });
  return server;
}

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse };

type Served = Exchange & { host: string };

async function serve(sandbox: Sandbox, request: Request, exchange: Served): Promise<Response> {
  const { incoming, outgoing } = exchange;
  const response = await respond(sandbox, request, exchange);
  const wire = wireAnswerOf(response);
  if (wire !== undefined) return sendRaw(wire, outgoing);
  if (!outgoing.headersSent) await letThrough(incoming, outgoing);
  return response;
}

async function respond(sandbox: Sandbox, request: Request, exchange: Served): Promise<Response> {
  const { incoming, outgoing } = exchange;
  if (!hasOneHost(incoming)) return wireRefusal(400, sandbox.brand);
  rememberRawTarget(request, incoming.url ?? '/');
  if (isOperatorPath(pathOf(request))) {
    if (!mayOperate(sandbox, request, exchange)) {
      return answer(403, { error: 'operator routes are for this machine alone' });
    }
  } else if (sandbox.isPlain(sandbox.serve)) rememberExchange(request, socketExchange(incoming, outgoing));
  return sandbox.serve(request);
}

/** Not from another machine, and not from a page in this machine's browser, which could only guess the address. */
function mayOperate(
  sandbox: Sandbox,
  { url }: Request,
  { incoming, host }: { incoming: IncomingMessage; host: string },
): boolean {
  if (sandbox.operator !== undefined) return sandbox.operator;
  const named = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  const places = [host, incoming.socket.remoteAddress ?? '', named];
  return places.every(isLoopback) && incoming.headers.origin === undefined;
}

function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address);
}

function sendRaw({ bytes, then }: WireAnswer, outgoing: ServerResponse): Response {
  const { socket } = outgoing;
  socket?.write(bytes, () => {
    if (then === 'close') socket.end();
    if (then === 'cut') socket.resetAndDestroy();
  });
  return new Response(null, { headers: { 'x-hono-already-sent': 'true' } }); // nothing more is written
}

function refuseUnreadable(error: unknown, brand: Sandbox['brand']): Response {
  return error instanceof RequestError ? wireRefusal(400, brand) : new Response(null, { status: 500 });
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
