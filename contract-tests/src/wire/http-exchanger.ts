import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { readHeader } from '../contract/evidence.ts';
import type { Exchanger } from '../contract/ports.ts';
import type { NoResponse, RawHeaders, WireRequest, WireResponse } from '../contract/probe.ts';
import type { TlsSettings } from '../contract/target.ts';
import { collectBytes, maxBodyBytes, noResponse, withContentDecoded } from './bodies.ts';
import { type Connections, describeFailure, openConnections, readHost } from './connections.ts';
import { maxInformational, readRawResponse } from './raw-response.ts';
import { startTimer, systemClock } from './system-clock.ts';

type ExchangeResult = WireResponse | NoResponse;

const tooLarge = noResponse('too-large', `more than ${maxBodyBytes} bytes`);

/**
 * Sends over node:http(s): literal paths, raw header lines, no redirects, a new connection for each request that does not
 * ask to keep it. A conditional request goes over a plain socket, because node:http hides the body of a 304; through a proxy for
 * plain http, and through one that speaks TLS itself, it stays hidden.
 */
export function createHttpExchange(settings?: TlsSettings): Exchanger {
  const connections = openConnections(settings);
  return withContentDecoded(
    (request, deadlineMs) =>
      new Promise((resolve) => {
        const isRaw = readHeader(request, 'If-None-Match') !== undefined && connections.isPlain(new URL(request.url));
        const exchange = isRaw ? exchangeRaw : exchangeParsed;
        const cancel = start(exchange, request, connections, (result) => {
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
}

type Settle = (result: ExchangeResult) => void;

/** Sends a request, calls back with its first result later on, and returns a function that closes the connection. */
type Send = (request: WireRequest, connections: Connections, settle: Settle) => () => void;

/** Agents refuse a proxy whose address is no URL by an exception. */
function start(exchange: Send, request: WireRequest, connections: Connections, settle: Settle): () => void {
  try {
    return exchange(request, connections, settle);
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    queueMicrotask(() => settle(describeFailure(failure, new URL(request.url))));
    return () => undefined;
  }
}

function exchangeParsed(
  request: WireRequest,
  connections: Connections,
  settle: Settle,
  isKept = readHeader(request, 'Connection')?.toLowerCase() === 'keep-alive',
): () => void {
  const url = new URL(request.url);
  const { path, lines } = requestLines(request);
  const startedAtMs = systemClock.now();
  const sent = (url.protocol === 'https:' ? https : http).request({
    hostname: readHost(url),
    port: url.port,
    method: request.method,
    path,
    headers: lines.flat(),
    agent: isKept ? connections.keepAgent(url) : connections.openAgent(url),
  });
  let cancel = (): void => void sent.destroy();
  sent.on('error', (error) => {
    // The server may close a connection that was kept while it is used again: that says nothing of the request.
    if (isKept && sent.reusedSocket) cancel = exchangeParsed(request, connections, settle, false);
    else settle(describeFailure(error, url));
  });
  let informational = 0;
  sent.on('information', () => {
    informational += 1;
    if (informational > maxInformational)
      settle(noResponse('malformed', `more than ${maxInformational} informational responses`));
  });
  sent.on('response', (message) => {
    const waitMs = systemClock.now() - startedAtMs;
    readMessage(message, url, (result) => {
      if (isKept && message.complete) cancel = () => undefined;
      settle(result.kind === 'response' ? { ...result, waitMs } : result);
    });
  });
  sent.end(request.body);
  return () => cancel();
}

function readMessage(message: http.IncomingMessage, url: URL, settle: Settle): void {
  const received = collectBytes();
  message.on('data', (chunk: Buffer) => {
    if (!received.add(chunk)) settle(tooLarge);
  });
  message.on('error', (error) => settle(describeFailure(error, url)));
  message.on('end', () => {
    if (!message.complete) settle(noResponse('reset', 'the answer was cut short'));
    const { rawHeaders: flat } = message;
    const headers = flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []));
    settle({ kind: 'response', status: message.statusCode ?? 0, headers, body: received.bytes() });
  });
}

/** How long a connection is silent before what it sent is read; more bytes may follow a complete response. */
const silenceMs = 150;

const exchangeRaw: Send = (request, connections, settle) => {
  const url = new URL(request.url);
  const startedAtMs = systemClock.now();
  let stopTimer = (): void => undefined;
  const talk = (socket: Duplex): void => {
    const received = collectBytes();
    let waitMs: number | undefined;
    const read = (ended: boolean): void => {
      const result = readRawResponse(received.bytes(), ended);
      if (result !== undefined)
        settle(result.kind === 'response' && waitMs !== undefined ? { ...result, waitMs } : result);
    };
    socket.on('error', (error) => settle(describeFailure(error, url)));
    socket.on('close', () => read(true));
    socket.on('data', (chunk: Buffer) => {
      waitMs ??= systemClock.now() - startedAtMs;
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
  };
  const close = connections.connect(url, (connection) => {
    if (connection instanceof Error) settle(describeFailure(connection, url));
    else talk(connection);
  });
  return () => {
    stopTimer();
    close();
  };
};

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
