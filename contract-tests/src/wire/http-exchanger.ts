import http from 'node:http';
import https from 'node:https';
import { Duplex } from 'node:stream';
import tls from 'node:tls';
import { errorCode, isThisMachine, type TlsSettings, tlsOptions } from '../../../specs/src/index.ts';
import { once, readHeader } from '../contract/evidence.ts';
import type { Exchanger, NoResponse, RawHeaders, WireRequest, WireResponse } from '../contract/exchange.ts';
import { collectBytes, decodeContent, noResponse, tooLarge } from './bodies.ts';
import { startTimer, systemClock } from './system-clock.ts';

const maxInformationalResponses = 100;
/** Time without data after which a 304 counts as a response without a body. */
const silenceMs = 150;

/**
 * Sends requests over node:http(s), directly or through the proxies of the environment. Keeps paths and header lines
 * unchanged, follows no redirects, and opens a new connection for each request that does not ask to keep it.
 */
export function createHttpExchange(settings?: TlsSettings): Exchanger {
  const chooseAgent = createAgentChooser(settings);
  const exchange = (request: WireRequest, deadlineMs: number, mayKeep = true): Promise<WireResponse | NoResponse> =>
    new Promise((resolve) => {
      const startedAtMs = systemClock.now();
      const url = new URL(request.url);
      const { path, lines } = requestLines(request);
      const isConditional = readHeader(request, 'If-None-Match') !== undefined;
      const isKept = mayKeep && !isConditional && readHeader(request, 'Connection')?.toLowerCase() === 'keep-alive';
      let sent: http.ClientRequest | undefined;
      let isSettled = false;
      const settle: Settle = (result) => {
        isSettled = true;
        stopTimer();
        if (!isKept || result.kind === 'no-response') sent?.destroy();
        resolve(decodeContent(result));
      };
      const expire = (): void => settle(noResponse('timeout', `no complete response within ${deadlineMs} ms`));
      const stopTimer = startTimer(deadlineMs, expire);
      try {
        const { request: open } = url.protocol === 'https:' ? https : http;
        const agent = chooseAgent(url, isKept);
        const { port } = url;
        sent = open({ hostname: readHost(url), port, method: request.method, path, headers: lines.flat(), agent });
      } catch (error) {
        // Agents throw if the configured proxy isn't a valid URL.
        return settle(describeFailure(error instanceof Error ? error : new Error(String(error)), url));
      }
      sent.on('error', (error) => {
        if (isSettled) return;
        if (!isKept || !sent?.reusedSocket) return settle(describeFailure(error, url));
        // The server may close a kept connection just when it is reused, which says nothing about the request.
        stopTimer();
        resolve(exchange(request, deadlineMs - (systemClock.now() - startedAtMs), false));
      });
      readResponse(sent, url, isConditional, settle);
      sent.end(request.body);
    });
  return exchange;
}

type Settle = (result: WireResponse | NoResponse) => void;
type ChooseAgent = (url: URL, isKept: boolean) => http.Agent;

/** Parses the bytes of one response, as if a server had sent them and closed the connection. */
export function readBytes(bytes: Uint8Array): Promise<WireResponse | NoResponse> {
  return new Promise((resolve) => {
    const url = new URL('http://in-process');
    const connection = new Duplex({ allowHalfOpen: false, read: () => undefined, write: (_, __, done) => done() });
    const sent = http.request(url, { createConnection: () => connection });
    sent.on('error', (error) => resolve(describeFailure(error, url)));
    readResponse(sent, url, true, resolve);
    sent.end();
    connection.push(bytes);
    connection.push(null);
  });
}

/** `isConditional`: the response may be a 304, for which node:http hides everything after the header. */
function readResponse(sent: http.ClientRequest, url: URL, isConditional: boolean, settle: Settle): void {
  const startedAtMs = systemClock.now();
  const connection = collectBytes();
  const collect = (chunk: Buffer): void => {
    if (!connection.add(chunk)) settle(tooLarge);
  };
  if (isConditional) sent.on('socket', (socket) => socket.prependListener('data', collect));
  let heads = 1;
  sent.on('information', () => {
    heads += 1;
    if (heads > maxInformationalResponses + 1)
      settle(noResponse('malformed', `more than ${maxInformationalResponses} informational responses`));
  });
  sent.on('response', (message) => {
    const waitMs = systemClock.now() - startedAtMs;
    const { statusCode: status = 0, rawHeaders: flat } = message;
    const headers = flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []));
    const finish = (body: Uint8Array): void => settle({ kind: 'response', status, headers, body, waitMs });
    if (isConditional && status === 304) {
      // node:http interprets the following bytes as the beginning of the next response.
      sent.removeAllListeners('error').on('error', () => undefined);
      callAfterSilence(message.socket, () => finish(skipHeads(connection.bytes(), heads)));
    } else {
      message.socket.off('data', collect);
      const received = collectBytes();
      message.on('data', (chunk: Buffer) => {
        if (!received.add(chunk)) settle(tooLarge);
      });
      message.on('error', (error) => settle(describeFailure(error, url)));
      message.on('end', () => finish(received.bytes()));
    }
  });
}

function callAfterSilence(socket: Duplex, callBack: () => void): void {
  let stopTimer = startTimer(silenceMs, callBack);
  socket.on('data', () => {
    stopTimer();
    stopTimer = startTimer(silenceMs, callBack);
  });
  socket.once('close', () => {
    stopTimer();
    callBack();
  });
}

/** Skips this number of header blocks. Decodes Latin-1, so that each character is one byte. */
function skipHeads(bytes: Uint8Array, heads: number): Uint8Array {
  const text = new TextDecoder('latin1').decode(bytes);
  const end = /\r?\n\r?\n/g;
  for (let count = 0; count < heads; count += 1) end.exec(text);
  return bytes.subarray(end.lastIndex);
}

function requestLines({ method, url, headers, body }: WireRequest): { readonly path: string; lines: RawHeaders } {
  const isDeclared = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  // Without a declared length, node:http sends an empty chunked body for methods with a body.
  const needsLength = !isDeclared && (body !== undefined || /^(?:POST|PUT|PATCH)$/.test(method));
  const connection = headers.some(([name]) => /^connection$/i.test(name)) ? [] : [['Connection', 'close'] as const];
  const length = needsLength ? [['Content-Length', String(body?.length ?? 0)] as const] : [];
  // WHATWG URL collapses `%2e%2e` and empty segments, but scenarios need them unchanged.
  const start = url.indexOf('/', url.indexOf('//') + 2);
  return {
    path: start === -1 ? '/' : url.slice(start),
    lines: [...headers, ['Host', new URL(url).host], ...connection, ...length],
  };
}

/** Maximum number of connections per origin that are kept and reused. */
const maxKept = 8;

function createAgentChooser(settings: TlsSettings = {}): ChooseAgent {
  const trusted = tlsOptions(settings, tls);
  const keptAgents = new Map<string, http.Agent>();
  const openAgent = (url: URL, options: http.AgentOptions): http.Agent => {
    const all = isThisMachine(url.hostname) ? options : { ...options, proxyEnv: process.env };
    return url.protocol === 'https:' ? new https.Agent({ ...all, ...trusted }) : new http.Agent(all);
  };
  return (url, isKept) => {
    if (!isKept) return openAgent(url, {});
    return once(keptAgents, url.origin, () => openAgent(url, { keepAlive: true, maxSockets: maxKept }));
  };
}

// URL keeps the brackets of an IPv6 address, but sockets do not accept them.
const readHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const reasons: readonly (readonly [RegExp, NoResponse['because']])[] = [
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/, 'refused'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'unresolved'],
  [/^(?:CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO|ERR_OSSL)/, 'tls'],
  [/^HPE_/, 'malformed'],
];

/** Explanations of OpenSSL alerts from a peer; its messages about certificates are already clear. */
const alerts: readonly (readonly [RegExp, string])[] = [
  [/certificate.required|alert.handshake.failure/i, 'it requires a client certificate (http.cert, http.key)'],
  [/alert.(?:unknown.ca|bad.certificate|certificate)/i, 'it rejects the client certificate'],
  [/wrong.version.number|packet.length.too.long/i, 'the server does not use TLS at this port: is it http?'],
];

function describeFailure(error: Error, url: URL): NoResponse {
  const code = errorCode(error);
  const proxy = findFailedProxy(error, url);
  // The original message contains the proxy URL, which may contain a password.
  const problem = code === 'ERR_PROXY_INVALID_CONFIG' ? 'its URL is invalid' : error.message;
  if (proxy !== undefined) return noResponse('proxy', `${code}: ${problem}, at the proxy in ${proxy}`);
  const because = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'reset';
  const alert = because === 'tls' ? alerts.find(([pattern]) => pattern.test(error.message))?.[1] : undefined;
  if (alert !== undefined) return noResponse(because, `${alert}: ${code}`);
  return noResponse(because, error.message.includes(code) ? error.message : `${code}: ${error.message}`);
}

/** Returns the environment variable of the proxy that failed, if it was not the target. */
function findFailedProxy(error: Error, url: URL): string | undefined {
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const variable = [name, name.toUpperCase()].find((one) => (process.env[one] ?? '') !== '');
  if (variable === undefined || isThisMachine(url.hostname)) return undefined;
  const { code, port: failedPort, hostname }: { code?: unknown; port?: unknown; hostname?: unknown } = Object(error);
  if (code === 'ERR_PROXY_TUNNEL' || code === 'ERR_PROXY_INVALID_CONFIG') return variable;
  const address = URL.parse(process.env[variable] ?? '');
  if (address === null) return undefined;
  const port = address.port || (address.protocol === 'https:' ? '443' : '80');
  const isProxy = hostname === readHost(address) || (String(failedPort) === port && url.port !== port);
  return isProxy ? variable : undefined;
}
