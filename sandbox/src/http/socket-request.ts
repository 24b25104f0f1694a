import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '../clock.ts';
import type { Bytes } from '../digest.ts';
import type { ServerRequest } from './messages.ts';

export type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse };

/** Reads a request of HTTP/1 as plain data. `bodyLimit` gives the longest body for a target, in bytes. */
export async function readRequest(
  { incoming, outgoing }: Exchange,
  bodyLimit: (target: string) => number,
): Promise<ServerRequest | 'malformed' | 'cut off'> {
  const { origin, target } = addressOf(incoming);
  if (origin === undefined || /[^\x21-\x7e]|\\/.test(target)) return 'malformed';
  const disconnected = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnected.abort();
  });
  const request = { method: incoming.method ?? 'GET', origin, target, headers: headersOf(incoming) };
  try {
    return { ...request, body: await readBody(incoming, bodyLimit(target)), signal: disconnected.signal };
  } catch {
    return 'cut off';
  }
}

/** Names in lower case, repeated ones joined; node's own `headers` drops the second of some. */
function headersOf({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** An absolute form names the host itself; the target is what follows. Without one valid host there is no origin. */
function addressOf(incoming: IncomingMessage): { origin: string | undefined; target: string } {
  const [absolute = '', host] = /^https?:\/\/([^/?#]*)/i.exec(incoming.url ?? '') ?? [];
  const rest = (incoming.url ?? '').slice(absolute.length);
  const target = rest.startsWith('/') || absolute === '' ? rest : `/${rest}`;
  return {
    origin: hasOneHost(incoming) ? originOf(host ?? (incoming.headers.host || localHost(incoming))) : undefined,
    target,
  };
}

/** HTTP/1.1 asks for exactly one line; with two of them, a proxy and this server could each believe another (RFC 9112, 3.2). */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const lines = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return lines === 1 || (lines === 0 && httpVersion === '1.0');
}

/** HTTP/1.0 may name no host; its URLs then lead to the address that was called. */
function localHost({ socket: { localAddress = '127.0.0.1', localPort = 0 } }: IncomingMessage): string {
  return `${bracketed(localAddress.replace(/^::ffff:/, ''))}:${localPort}`;
}

export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

let latest = { host: '', origin: '' }; // most callers name one host, and parsing it costs as much as a status call

function originOf(host: string): string | undefined {
  if (host === latest.host) return latest.origin;
  const url = /^[^\s/?#@\\]+$/.test(host) ? URL.parse(`http://${host}`) : null;
  if (url === null) return undefined;
  latest = { host, origin: url.origin };
  return url.origin;
}

/** Bytes beyond the limit are read and dropped, so that a slow sender sees the refusal and not a broken pipe. */
async function readBody(incoming: IncomingMessage, limitBytes: number): Promise<Bytes | 'too-large'> {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && length === '0') return new Uint8Array(0);
  if (Number(length) > limitBytes) return 'too-large';
  const chunks: Uint8Array[] = [];
  let total = 0;
  return new Promise((done, failed) => {
    incoming.on('data', (chunk: Uint8Array) => {
      total += chunk.length;
      if (total <= limitBytes) chunks.push(chunk);
      else done('too-large');
    });
    incoming.on('end', () => done(new Uint8Array(Buffer.concat(chunks))));
    incoming.on('error', failed);
    incoming.on('close', () => failed(new Error('the request broke off')));
  });
}

const discardMs = 2000;

/** A connection that closed now would cut off the sender, and the reply with it. */
export async function discardRest(incoming: IncomingMessage): Promise<void> {
  const ended = new AbortController();
  for (const event of ['end', 'close', 'error']) incoming.once(event, () => ended.abort());
  incoming.resume();
  await systemClock.sleep(discardMs, ended.signal);
}
