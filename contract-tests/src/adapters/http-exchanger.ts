import http from 'node:http';
import https from 'node:https';
import { headerOf } from '../evidence.ts';
import type { Exchanger } from '../ports.ts';
import type { NoResponse, RawHeaders, WireRequest, WireResponse } from '../probe.ts';
import { withContentDecoded } from './content-coding.ts';
import { rawExchange } from './raw-exchanger.ts';
import { noResponse, reasonOf, requestLines } from './request-lines.ts';
import { startTimer } from './system-clock.ts';

const bodyCeilingBytes = 64 * 1024 * 1024;

/**
 * Over node:http(s): literal paths, raw header lines, no redirects, a fresh connection for each request. A conditional
 * request goes over a plain socket: only there the body of a 304 shows.
 */
export const httpExchange: Exchanger = withContentDecoded((request, deadlineMs) =>
  headerOf(request, 'If-None-Match') === undefined
    ? parsedExchange(request, deadlineMs)
    : rawExchange(request, deadlineMs),
);

function parsedExchange(request: WireRequest, deadlineMs: number): Promise<WireResponse | NoResponse> {
  return new Promise((resolve) => {
    const settle = (result: WireResponse | NoResponse): void => {
      stopTimer();
      resolve(result);
      sent.destroy();
    };
    const sent = open(request);
    const stopTimer = startTimer(deadlineMs, () =>
      settle(noResponse('timeout', `no complete answer within ${deadlineMs} ms`)),
    );
    sent.on('error', (error) => settle(reasonOf(error)));
    sent.on('response', (message) => collect(message, settle));
    sent.end(request.body);
  });
}

function open(request: WireRequest): http.ClientRequest {
  const { protocol, hostname, port } = new URL(request.url);
  const { path, lines } = requestLines(request);
  return (protocol === 'https:' ? https : http).request({
    // URL keeps the brackets of an IPv6 address, a socket does not want them.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method: request.method,
    path,
    headers: lines.flat(),
    agent: false,
  });
}

function collect(message: http.IncomingMessage, settle: (result: WireResponse | NoResponse) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > bodyCeilingBytes) settle(noResponse('too-large', `more than ${bodyCeilingBytes} bytes`));
    else chunks.push(chunk);
  });
  message.on('error', (error) => settle(reasonOf(error)));
  message.on('end', () => {
    if (!message.complete) settle(noResponse('reset', 'the answer was cut short'));
    const headers = pairs(message.rawHeaders);
    settle({ kind: 'response', status: message.statusCode ?? 0, headers, body: new Uint8Array(Buffer.concat(chunks)) });
  });
}

function pairs(flat: readonly string[]): RawHeaders {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []));
}
