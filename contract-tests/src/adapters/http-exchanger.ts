import http from 'node:http';
import https from 'node:https';
import type { Exchanger } from '../ports.ts';
import type { NoResponse, RawHeaders, WireRequest, WireResponse } from '../probe.ts';
import { startTimer } from './system-clock.ts';

const bodyCeilingBytes = 64 * 1024 * 1024;

/** Over node:http(s): literal paths, raw header lines, no redirects, a fresh connection for each request. */
export const httpExchange: Exchanger = (request, deadlineMs) =>
  new Promise((resolve) => {
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

function open(request: WireRequest): http.ClientRequest {
  const { protocol, hostname, port, host } = new URL(request.url);
  const lines = [...request.headers, ['Host', host] as const, ['Connection', 'close'] as const, ...lengthOf(request)];
  return (protocol === 'https:' ? https : http).request({
    // URL keeps the brackets of an IPv6 address, a socket does not want them.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    method: request.method,
    path: literalPath(request.url),
    headers: lines.flat(),
    agent: false,
  });
}

function lengthOf(request: WireRequest): RawHeaders {
  const isDeclared = request.headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  return request.body === undefined || isDeclared ? [] : [['Content-Length', String(request.body.length)]];
}

/** WHATWG URL collapses `%2e%2e` and empty segments; a probe means what it wrote. */
function literalPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return start === -1 ? '/' : url.slice(start);
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

function noResponse(because: NoResponse['because'], detail: string): NoResponse {
  return { kind: 'no-response', because, detail };
}

const reasons: readonly (readonly [RegExp, NoResponse['because']])[] = [
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/, 'refused'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'unresolved'],
  [/^(?:CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO)/, 'tls'],
  [/^HPE_/, 'malformed'],
];

function reasonOf(error: Error): NoResponse {
  const code = 'code' in error ? String(error.code) : '';
  const because = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset';
  return noResponse(because, code === '' ? error.message : `${code}: ${error.message}`);
}
