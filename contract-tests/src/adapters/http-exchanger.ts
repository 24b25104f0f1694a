import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { headerOf } from '../definitions/evidence.ts';
import type { Exchanger } from '../definitions/ports.ts';
import type { NoResponse, RawHeaders, WireRequest, WireResponse } from '../definitions/probe.ts';
import { proxyEnvironment } from './child-environment.ts';
import { collectBytes } from './collect-bytes.ts';
import { maxBodyBytes, withContentDecoded } from './content-coding.ts';
import { maxInformational, readRawResponse, resultOfReading } from './raw-response.ts';
import { startTimer } from './system-clock.ts';

type ExchangeResult = WireResponse | NoResponse;

const tooLarge = noResponse('too-large', `more than ${maxBodyBytes} bytes`);

/**
 * Sends over node:http(s): literal paths, raw header lines, no redirects, a new connection for each request that does not
 * ask to keep it. A conditional request goes over a plain socket, because node:http hides the body of a 304; through a proxy it stays hidden.
 */
export const httpExchange: Exchanger = withContentDecoded(
  (request, deadlineMs) =>
    new Promise((resolve) => {
      const isRaw = headerOf(request, 'If-None-Match') !== undefined && proxyEnvironment() === undefined;
      const exchange = isRaw ? exchangeRaw : exchangeParsed;
      const cancel = exchange(request, (result) => {
        stopTimer();
        cancel();
        resolve(result);
      });
      const stopTimer = startTimer(deadlineMs, () => {
        cancel();
        resolve(noResponse('timeout', `no complete answer within ${deadlineMs} ms`));
      });
    }),
);

/** Sends a request, calls back with its first result, and returns a function that closes the connection. */
type Send = (request: WireRequest, settle: (result: ExchangeResult) => void) => () => void;

const exchangeParsed: Send = (request, settle) => exchangeOver(request, settle, keepsConnection(request));

function exchangeOver(request: WireRequest, settle: Parameters<Send>[1], isKept: boolean): () => void {
  const { protocol, hostname, port } = new URL(request.url);
  const { path, lines } = requestLines(request);
  const sent = (protocol === 'https:' ? https : http).request({
    hostname: withoutBrackets(hostname),
    port,
    method: request.method,
    path,
    headers: lines.flat(),
    agent: isKept ? keptAgent(protocol) : agentFor(protocol),
  });
  let cancel = (): void => void sent.destroy();
  sent.on('error', (error) => {
    // The server may close a connection that was kept while it is used again: that says nothing of the request.
    if (isKept && sent.reusedSocket) cancel = exchangeOver(request, settle, false);
    else settle(failureOf(error));
  });
  let informational = 0;
  sent.on('information', () => {
    informational += 1;
    if (informational > maxInformational)
      settle(noResponse('malformed', `more than ${maxInformational} informational responses`));
  });
  sent.on('response', (message) =>
    readMessage(message, (result) => {
      if (isKept && message.complete) cancel = () => undefined;
      settle(result);
    }),
  );
  sent.end(request.body);
  return () => cancel();
}

function keepsConnection(request: WireRequest): boolean {
  return headerOf(request, 'Connection')?.toLowerCase() === 'keep-alive';
}

/** Of one host. A request that follows the response to another takes its connection. */
const keptAtMost = 8;
const keptAgents = new Map<string, http.Agent>();

function keptAgent(protocol: string): http.Agent {
  const proxyEnv = proxyEnvironment();
  const options = { keepAlive: true, maxSockets: keptAtMost, ...(proxyEnv === undefined ? {} : { proxyEnv }) };
  const agent =
    keptAgents.get(protocol) ?? (protocol === 'https:' ? new https.Agent(options) : new http.Agent(options));
  keptAgents.set(protocol, agent);
  return agent;
}

/** A new one for each request; through a proxy as the platform's own agents go. */
function agentFor(protocol: string): http.Agent | false {
  const proxyEnv = proxyEnvironment();
  if (proxyEnv === undefined) return false;
  return protocol === 'https:' ? new https.Agent({ proxyEnv }) : new http.Agent({ proxyEnv });
}

function readMessage(message: http.IncomingMessage, settle: (result: ExchangeResult) => void): void {
  const received = collectBytes(maxBodyBytes);
  message.on('data', (chunk: Buffer) => {
    if (!received.add(chunk)) settle(tooLarge);
  });
  message.on('error', (error) => settle(failureOf(error)));
  message.on('end', () => {
    if (!message.complete) settle(noResponse('reset', 'the answer was cut short'));
    const { rawHeaders: flat } = message;
    const headers = flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []));
    settle({ kind: 'response', status: message.statusCode ?? 0, headers, body: received.bytes() });
  });
}

/** How long a connection is silent before what it sent is read; more bytes may follow a complete response. */
const silenceMs = 150;

const exchangeRaw: Send = (request, settle) => {
  const socket = connect(request);
  const received = collectBytes(maxBodyBytes);
  let stopTimer = (): void => undefined;
  const read = (ended: boolean): void => {
    const reading = readRawResponse(received.bytes(), ended);
    if (ended || reading.kind !== 'incomplete') settle(resultOfReading(reading));
  };
  socket.on('error', (error) => settle(failureOf(error)));
  socket.on('close', () => read(true));
  socket.on('data', (chunk: Buffer) => {
    stopTimer();
    if (!received.add(chunk)) settle(tooLarge);
    // Not at every piece: what is read anew each time takes the square of the pieces.
    else stopTimer = startTimer(silenceMs, () => read(false));
  });
  const { path, lines } = requestLines(request);
  const head = [`${request.method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  socket.write(
    Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), request.body ?? new Uint8Array()]),
  );
  return () => {
    stopTimer();
    socket.destroy();
  };
};

function connect(request: WireRequest): net.Socket {
  const { protocol, hostname, port } = new URL(request.url);
  const host = withoutBrackets(hostname);
  if (protocol !== 'https:') return net.connect({ host, port: Number(port || 80) });
  return tls.connect({ host, port: Number(port || 443), ...(net.isIP(host) === 0 ? { servername: host } : {}) });
}

/** URL keeps the brackets of an IPv6 address; sockets do not accept them. */
function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** The path as written, and the header lines of the probe with those that every request needs. */
function requestLines({ method, url, headers, body }: WireRequest): { readonly path: string; lines: RawHeaders } {
  const isDeclared = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  // Without a declared length node:http sends an empty chunked body where the method expects one.
  const needsLength = !isDeclared && (body !== undefined || /^(?:POST|PUT|PATCH)$/.test(method));
  const connection = headers.some(([name]) => /^connection$/i.test(name)) ? [] : [['Connection', 'close'] as const];
  const length = needsLength ? [['Content-Length', String(body?.length ?? 0)] as const] : [];
  // WHATWG URL collapses `%2e%2e` and empty segments; a probe means what it wrote.
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return {
    path: start === -1 ? '/' : url.slice(start),
    lines: [...headers, ['Host', new URL(url).host], ...connection, ...length],
  };
}

function noResponse(because: NoResponse['because'], detail: string): NoResponse {
  return { kind: 'no-response', because, detail };
}

const reasons: readonly (readonly [RegExp, NoResponse['because']])[] = [
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/, 'refused'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'unresolved'],
  [/^(?:CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/, 'tls'],
  [/^HPE_/, 'malformed'],
];

function failureOf(error: Error): NoResponse {
  const code = 'code' in error ? String(error.code) : '';
  const because = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset';
  return noResponse(because, code === '' ? error.message : `${code}: ${error.message}`);
}
