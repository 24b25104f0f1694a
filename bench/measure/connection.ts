import { connect } from 'node:net';

export type RawAnswer = { status: number; body: Buffer };
export type Listener = { answer(answer: RawAnswer): void; failed(error: Error): void; closed?(): void };
/** A keep-alive connection with at most one request in flight. */
export type Connection = { send(request: Uint8Array): void; close(): void };

/** Reads only status, length and body of a response, so that the server and not the client limits the rate. */
export function openConnection(url: string, { answer, failed, closed = () => {} }: Listener): Connection {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  let held: Buffer = Buffer.alloc(0);
  socket.on('error', failed);
  socket.on('close', closed);
  socket.on('data', (part: Buffer) => {
    held = held.length === 0 ? part : Buffer.concat([held, part]);
    const span = locateBody(held);
    if (span === undefined) return;
    const [whole, { start, end }] = [held, span];
    held = whole.subarray(end);
    answer({ status: Number(whole.toString('latin1', 9, 12)), body: whole.subarray(start, end) });
  });
  return { send: (request) => socket.write(request), close: () => socket.destroy() };
}

export function requestBytes(method: string, url: string, headers: Record<string, string>, body = ''): Buffer {
  const { host, pathname, search } = new URL(url);
  const length: Record<string, string> = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Undefined until the response is complete; a chunked body is not decoded. */
function locateBody(held: Buffer): { start: number; end: number } | undefined {
  const head = held.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const start = head + 4;
  const text = held.toString('latin1', 0, head).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(text)?.[1];
  if (length !== undefined)
    return held.length >= start + Number(length) ? { start, end: start + Number(length) } : undefined;
  if (!text.includes('\r\ntransfer-encoding: chunked')) return { start, end: start };
  const last = held.indexOf('0\r\n\r\n', start);
  return last < 0 ? undefined : { start, end: last + 5 };
}
