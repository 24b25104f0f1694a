import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Random } from './attack-class.ts';
import { hostileText } from './hostile-texts.ts';
import type { Asked, Reply } from './router.ts';

/** What a hostile server is made with: the secrets it can echo and an address that must not be asked. */
export type Arms = { readonly random: Random; readonly credentials: readonly string[]; readonly canary: string };
export type Act = (asked: Asked, response: ServerResponse, healthy: () => Promise<Reply>) => void | Promise<void>;
/** Writes without end, as fast as the other side takes it or with a pause after each part. */
async function pour(response: ServerResponse, part: () => string | Buffer, everyMs = 0): Promise<void> {
  const { socket } = response;
  while (socket !== null && !socket.destroyed) {
    if (!socket.write(part())) await new Promise((done) => void socket.once('drain', done).once('close', done));
    await pause(everyMs);
  }
}

export const head = (status: string, headers: Record<string, string>): string =>
  `HTTP/1.1 ${status}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
export const json = { 'Content-Type': 'application/json' };

const zeros = Buffer.alloc(16 * 1024 * 1024, 0x20);
const bombs: readonly (readonly [coding: string, make: (count: number) => Buffer])[] = [
  ['gzip', (count) => Buffer.concat(Array.from({ length: count }, () => gzipSync(zeros)))],
  ['gzip, gzip', (count) => gzipSync(Buffer.concat(Array.from({ length: count }, () => gzipSync(zeros))))],
  ['br', (count) => brotliCompressSync(Buffer.alloc(count * zeros.length, 0x20), { params: { 1: 3 } })],
  ['deflate', (count) => deflateSync(Buffer.alloc(count * zeros.length, 0x20))],
];

export const bomb = ({ random }: Arms): Act => {
  const [coding, make] = random.one(bombs);
  const body = make(random.size(8, 70));
  return (_asked, response) => void response.writeHead(200, { ...json, 'content-encoding': coding }).end(body);
};

export const informational = ({ random }: Arms): Act => {
  const one = head(
    random.one(['100 Continue', '102 Processing', '103 Early Hints', '199 Odd']),
    random.chance(0.5) ? { Link: '</x>; rel=preload' } : {},
  );
  const count = random.size(1_000, 300_000);
  return async (_asked, response, healthy) => {
    const { status, headers, body } = await healthy();
    const last = Buffer.concat([
      Buffer.from(head(`${status} Last`, { ...headers, 'content-length': String(body.length) })),
      body,
    ]);
    for (let sent = 0; sent < count && response.socket?.destroyed === false; sent += 500) {
      if (!response.socket.write(one.repeat(500))) await pause(1);
    }
    response.socket?.end(last);
  };
};

export const endless = ({ random }: Arms): Act => {
  const everyMs = random.chance(0.5) ? 0 : random.size(20, 900);
  const size = everyMs === 0 ? 60_000 : random.size(1, 50);
  return random.one<Act>([
    (_asked, response) => pour(response, () => `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(size)}`, everyMs),
    async (_asked, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      await pour(response, () => `X-${Math.floor(performance.now() * 1e6)}: ${'x'.repeat(size)}\r\n`, everyMs);
    },
    async (_asked, response) => {
      response.socket?.write(head('200 OK', { ...json, 'Transfer-Encoding': 'chunked' }));
      await pour(response, () => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`, everyMs);
    },
    async (_asked, response) => {
      response.socket?.write(head('200 OK', { ...json, 'Transfer-Encoding': 'chunked' }));
      await pour(response, () => 'x'.repeat(size), everyMs);
    },
    async (_asked, response) => {
      response.socket?.write(head('200 OK', { ...json, 'Content-Length': '9007199254740991' }));
      await pour(response, () => `"${'a'.repeat(size)}",`, everyMs);
    },
    async (_asked, response) => {
      response.socket?.write(`${head('200 OK', { ...json, 'Transfer-Encoding': 'chunked' })}2\r\n{}\r\n0\r\n`);
      await pour(response, () => `X-Trailer: ${'x'.repeat(size)}\r\n`, everyMs);
    },
  ]);
};

export const silent = ({ random }: Arms): Act =>
  random.one<Act>([
    () => {},
    (_asked, response) => void response.socket?.write('HTTP/1.1 200'),
    (_asked, response) => void response.socket?.write(head('200 OK', { ...json, 'Content-Length': '90' })),
    (_asked, response) =>
      void response.socket?.write(`${head('200 OK', { ...json, 'Content-Length': '90' })}{"data":[`),
  ]);

export const torn = ({ random }: Arms): Act => {
  const share = random.next();
  const isReset = random.chance(0.5);
  const odd = random.pick([
    'HTTP/9.9 200 OK\r\n\r\n{}',
    'garbage\r\n\r\n',
    '\0\0\0',
    'HTTP/1.1 99999 X\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n-1\r\n{}',
    '<html>',
  ]);
  return async (_asked, response, healthy) => {
    const { status, headers, body } = await healthy();
    const whole = Buffer.concat([
      Buffer.from(head(`${status} OK`, { ...headers, 'content-length': String(body.length) })),
      body,
    ]);
    response.socket?.write(
      share < 0.4 && odd !== undefined ? odd : whole.subarray(0, Math.floor(whole.length * share)),
      () => {
        if (isReset) response.socket?.resetAndDestroy();
        else response.socket?.end();
      },
    );
  };
};

export const redirect = ({ random, canary }: Arms): Act => {
  const status = random.one([301, 302, 303, 307, 308, 300, 305]);
  const target = random.one<(asked: Asked, count: number) => string>([
    ({ path }) => path,
    ({ path }, count) => `${path}${path.includes('?') ? '&' : '?'}n=${count}`,
    () => `${canary}/v2/models`,
    () => `//${new URL(canary).host}/x`,
    () => 'file:///etc/passwd',
    () => 'data:application/json,{}',
    () => `/${'x'.repeat(50_000)}`,
    () => '',
    () => `http://[::1]:${new URL(canary).port}/`,
    ({ path }) => `\\\\${new URL(canary).host}${path}`,
  ]);
  let count = 0;
  return (asked, response) => {
    count += 1;
    response.socket?.write(head(`${status} Moved`, { Location: target(asked, count), 'Content-Length': '0' }));
  };
};

export const oddAnswer = ({ random }: Arms): Act => {
  const media = random.one([
    'text/html',
    'application/json; charset=utf-16',
    'application/octet-stream',
    'text/event-stream',
    '',
    'multipart/mixed; boundary=x',
    `application/${hostileText(random).replace(/[^\x21-\x7e]/g, '')}`,
    'application/vnd.oai.openapi+json',
  ]);
  const status = random.one([
    200, 200, 201, 204, 206, 218, 304, 400, 401, 402, 403, 404, 409, 410, 418, 422, 429, 451, 500, 502, 503, 504, 599,
    777,
  ]);
  const retry = random.pick([
    {},
    {},
    { 'Retry-After': '0' },
    { 'Retry-After': '999999999999' },
    { 'Retry-After': '-1' },
    { 'Retry-After': 'Fri, 31 Dec 9999 23:59:59 GMT' },
    { 'Retry-After': '1e3' },
  ]);
  const body = random.one([
    '',
    '{}',
    '[]',
    'null',
    '7',
    '"x"',
    '<html>Sign in</html>',
    '{"data":[null]}',
    '{"data":{}}',
    '{"data":[],"has_more":true}',
    '{"detail":{"a":[]}}',
    '[[]]',
    '\ufeff{}',
    '{"data":[{"id":{"a":1}}],"has_more":"yes"}',
    hostileText(random),
    JSON.stringify({ detail: hostileText(random), error_type: hostileText(random) }),
  ]);
  const reason = random.one(['Odd', '\u202eOdd', '\x1b[2JOdd', 'x'.repeat(9_000)]);
  const tag = random.one(['"a"', '', 'W/', '"', `"${'e'.repeat(9_000)}"`]);
  const headers = { 'Content-Type': media, ETag: tag, ...retry, 'Content-Length': String(Buffer.byteLength(body)) };
  return (_asked, response) => void response.socket?.write(`${head(`${status} ${reason}`, headers)}${body}`);
};

export const hugeJson = ({ random }: Arms): Act => {
  const count = random.size(50_000, 6_000_000);
  const text = random.one<() => string>([
    () => `${'['.repeat(count)}${']'.repeat(count)}`,
    () => `${'{"a":'.repeat(count / 5)}1${'}'.repeat(count / 5)}`,
    () => `{"data":[${'{},'.repeat(count / 3)}{}],"has_more":false}`,
    () => `{"data":[${'[],'.repeat(count)}1]}`,
    () => `[${'1'.repeat(count)}]`,
    () => `{"detail":"${'\\u202e'.repeat(count / 6)}"}`,
    () => `{${Array.from({ length: count / 20 }, (_, index) => `"k${index}":${index}`).join()}}`,
    () =>
      `{"openapi":"3.0.4","paths":{"/v2/models/a/b":{"post":${'{"x":'.repeat(count / 5)}{}${'}'.repeat(count / 5)}}}}`,
  ])();
  return (_asked, response) => void response.writeHead(200, json).end(text);
};
