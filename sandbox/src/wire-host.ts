/** What an incoming message of HTTP/1 says of its host. */
type Incoming = {
  headers: { host?: string | undefined };
  rawHeaders: readonly string[];
  httpVersion: string;
  socket: { localAddress?: string | undefined; localPort?: number | undefined };
};

/** A caller who names no host, as HTTP/1.0 may, gets URLs of the address that was called. */
export function settleHost({ headers, socket }: Incoming): void {
  if (headers.host) return;
  const { localAddress = '127.0.0.1', localPort = 0 } = socket;
  const address = localAddress.replace(/^::ffff:/, '');
  headers.host = `${address.includes(':') ? `[${address}]` : address}:${localPort}`;
}

/** HTTP/1.1 asks for exactly one line; with two of them, a proxy and this server could each believe another (RFC 9112, 3.2). */
export function hasOneHost({ rawHeaders, httpVersion }: Incoming): boolean {
  const lines = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return lines === 1 || (lines === 0 && httpVersion === '1.0');
}
