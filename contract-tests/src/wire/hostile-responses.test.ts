import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createHttpExchange } from './http-exchanger.ts';

const httpExchange = createHttpExchange();
type Talk = (socket: net.Socket) => void;

const servers: net.Server[] = [];
const sockets = new Set<net.Socket>();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  for (const server of servers.splice(0)) server.close();
});

async function serve(talk: Talk): Promise<string> {
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => talk(socket));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/v2/models`;
}

/** Repeats the piece endlessly, as fast as the client reads. */
const flood =
  (start: string, piece: string | Uint8Array): Talk =>
  (socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
      if (!socket.destroyed) socket.once('drain', more);
    };
    socket.write(start);
    more();
  };
/** Sends a piece every 40 ms. */
const drip =
  (start: string, piece: string): Talk =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(piece)), 40);
    socket.on('close', () => clearInterval(timer));
  };
const once =
  (...parts: readonly (string | Uint8Array)[]): Talk =>
  (socket) => {
    for (const part of parts) socket.write(part);
  };

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}Transfer-Encoding: chunked\r\n\r\n`;
const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const zeros = gzipSync(new Uint8Array(100 * 1024 * 1024));
const tinyChunks = '1\r\nx\r\n'.repeat(20_000);
const coded = (coding: string, body: Uint8Array): Talk =>
  once(`${ok}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`, body);

// With an endless response, the speed of server and client decides whether the size limit or the timeout comes first.
const ended = /^(?:timeout|too-large|malformed)/;
const table: readonly { name: string; talk: Talk; want: RegExp }[] = [
  { name: 'no response at all', talk: () => undefined, want: /^timeout/ },
  { name: 'a status line a byte at a time', talk: drip('', 'H'), want: ended },
  { name: 'a header that never ends', talk: flood(`${ok}X-A: `, 'a'.repeat(10_000)), want: ended },
  { name: 'headers that never end', talk: flood(ok, 'X-A: a\r\n'.repeat(1_000)), want: ended },
  { name: 'a header a byte at a time', talk: drip(`${ok}X-A: `, 'a'), want: /^timeout/ },
  { name: 'headers of 9,000 early hints', talk: once(early.repeat(9_000), `${ok}\r\n`), want: /^malformed.*100 info/ },
  { name: 'early hints that never end', talk: flood('', early.repeat(500)), want: ended },
  { name: 'early hints one by one', talk: drip('', early), want: /^timeout/ },
  { name: 'a body that never ends', talk: flood(`${ok}\r\n`, 'x'.repeat(60_000)), want: ended },
  { name: 'a body a byte at a time', talk: drip(`${ok}Content-Length: 999\r\n\r\n`, 'x'), want: /^timeout/ },
  { name: 'a body that stops', talk: once(`${ok}Content-Length: 999\r\n\r\n`, 'x'), want: /^timeout/ },
  { name: 'chunks that never end', talk: flood(chunked, tinyChunks), want: ended },
  { name: 'chunks a byte at a time', talk: drip(chunked, '1\r\nx\r\n'), want: /^timeout/ },
  {
    name: 'server-sent events that never end',
    talk: drip(`${ok}Content-Type: text/event-stream\r\n\r\n`, 'data: x\n\n'),
    want: /^timeout/,
  },
  { name: 'a long chunk extension', talk: flood(`${chunked}1;`, 'a=b;'.repeat(3_000)), want: ended },
  { name: 'a chunk size that never ends', talk: flood(chunked, '0'.repeat(9_000)), want: ended },
  { name: 'trailers that never end', talk: flood(`${chunked}0\r\n`, 'X-A: a\r\n'.repeat(1_000)), want: ended },
  { name: 'a bomb in gzip', talk: coded('gzip', zeros), want: /^too-large/ },
  { name: 'a bomb in gzip in gzip', talk: coded('gzip, gzip', gzipSync(zeros)), want: /^too-large/ },
  { name: 'a bomb under eight codings', talk: coded('gzip,'.repeat(8), zeros), want: /^malformed/ },
];

describe.each([
  { request: 'a plain request', headers: [] },
  { request: 'a conditional request', headers: [['If-None-Match', '"a"'] as const] },
])('$request', ({ request, headers }) => {
  test.concurrent.each(table)(`${request} ends if the server sends $name`, async ({ talk, want }) => {
    const url = await serve(talk);
    const result = await httpExchange({ method: 'GET', url, headers, body: undefined }, 3_000);
    expect(result.kind === 'response' ? 'a response' : `${result.because} ${result.detail}`).toMatch(want);
  });
});
