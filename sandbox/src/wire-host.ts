import type { IncomingMessage } from 'node:http';

/** A caller who names no host, as HTTP/1.0 may, gets URLs of the address that was called. */
export function settleHost(incoming: IncomingMessage): void {
  if (incoming.headers.host) return;
  const { localAddress = '127.0.0.1', localPort = 0 } = incoming.socket;
  const address = localAddress.replace(/^::ffff:/, '');
  incoming.headers.host = `${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}

/** HTTP/1.1 asks for exactly one line; with two of them, a proxy and this server could each believe another (RFC 9112, 3.2). */
export function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const lines = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return lines === 1 || (lines === 0 && httpVersion === '1.0');
}
