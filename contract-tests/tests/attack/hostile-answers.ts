import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type HostileModel, hostileModels, makeDocument, object } from './documents.ts';
import type { Behaviour, Reply, Request } from './router.ts';
import { encode, hostileText, notation, oddJson, weighted } from './texts.ts';

type Exchange = {
  readonly request: Request;
  readonly response: ServerResponse;
  readonly healthy: () => Promise<Reply>;
  readonly canary: string;
};
type Act = (exchange: Exchange) => unknown;
type Hostility = readonly [name: string, act: Act];
/** A server that answers the requests that `place` names with the hostile behaviour `act`. */
export type HostileServer = { readonly name: string; readonly place: string; readonly act: Act };

const places: Readonly<Record<string, (request: Request) => boolean>> = {
  'the catalog': ({ url }) => url.pathname === '/v2/models',
  documents: ({ url }) => url.pathname.endsWith('/openapi.json'),
  'other requests': ({ url }) => url.pathname !== '/v2/models',
  'requests without a credential': ({ headers }) => (headers['x-api-key'] ?? headers.authorization) === undefined,
  'conditional requests': ({ headers }) => headers['if-none-match'] !== undefined,
  'all requests': () => true,
};

export const behaveLike =
  ({ place, act }: HostileServer, canary: string): Behaviour =>
  async (request, response, healthy) => {
    if (places[place]?.(request) !== true) return false;
    await act({ request, response, healthy, canary });
    return true;
  };

const head = (status: string, headers: Record<string, string>): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
};
const json = { 'Content-Type': 'application/json' };

/** Writes a part repeatedly, with a pause after each part, until the client disconnects. */
async function pour({ response }: Exchange, first: string, part: string, everyMs: number): Promise<void> {
  const { socket } = response;
  socket?.setMaxListeners(0); // Each wait below adds two listeners.
  socket?.write(first);
  while (socket !== null && !socket.destroyed) {
    if (!socket.write(part)) await new Promise((done) => socket.once('drain', done).once('close', done));
    await pause(everyMs);
  }
}
const chunked = head('200 OK', { ...json, 'Transfer-Encoding': 'chunked' });
const endless: Readonly<Record<string, (size: number) => readonly [first: string, part: string]>> = {
  headers: (size) => ['HTTP/1.1 200 OK\r\n', `X-Header: ${'x'.repeat(size)}\r\n`],
  chunks: (size) => [chunked, `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`],
  'size of a chunk': (size) => [chunked, 'x'.repeat(size)],
  body: (size) => [head('200 OK', { ...json, 'Content-Length': '9007199254740991' }), `"${'a'.repeat(size)}",`],
  'interim responses': () => ['', head('103 Early Hints', { Link: '</x>; rel=preload' }).repeat(500)],
};

const spaces = Buffer.alloc(16 * 1024 * 1024, 0x20);
const compress: Readonly<Record<string, (count: number) => Buffer>> = {
  'gzip, gzip': (count) => gzipSync(Buffer.concat(Array.from({ length: count }, () => gzipSync(spaces)))),
  br: (count) => brotliCompressSync(Buffer.alloc(count * spaces.length, 0x20), { params: { 1: 3 } }),
};

const awaited = head('200 OK', { ...json, 'Content-Length': '90' });
const partial = [
  '', 'HTTP/1.1 200', awaited, `${awaited}{"data":[`, 'HTTP/9.9 200 OK\r\n\r\n{}', 'garbage\r\n\r\n', '\0\0\0', 'HTTP/1.1 99999 X\r\n\r\n', '<html>', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}', `${chunked}FFFFFFFFFFFFFFFFF\r\n`, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n-1\r\n{}',
]; // biome-ignore format: a list of texts

const targets: Readonly<Record<string, (exchange: Exchange) => string>> = {
  'ever longer paths': ({ request: { path } }) => `${path}${path.includes('?') ? '&' : '?'}n=1`,
  'another host': ({ canary }) => `${canary}/v2/models`,
  'another host, without a scheme': ({ canary }) => `//${new URL(canary).host}/x`,
  'another host, with backslashes': ({ canary, request }) => `\\\\${new URL(canary).host}${request.path}`,
  'a file': () => 'file:///etc/passwd',
  nothing: () => '',
};

const hugeJson: Readonly<Record<string, (count: number) => string>> = {
  'nested lists': (count) => '['.repeat(count) + ']'.repeat(count),
  'nested objects': (count) => `${'{"a":'.repeat(count / 5)}1${'}'.repeat(count / 5)}`,
  'empty models': (count) => `{"data":[${'{},'.repeat(count / 3)}{}],"has_more":false}`,
  digits: (count) => `[${'1'.repeat(count)}]`,
  escapes: (count) => `{"detail":"${'\\u202e'.repeat(count / 6)}"}`,
  members: (count) => `{${Array.from({ length: count / 20 }, (_, index) => `"k${index}":${index}`).join()}}`,
};

/** Functions that insert a text into the body of a healthy response, by the place where they insert it. */
const echoes: Readonly<Record<string, (body: string, text: string) => string>> = {
  'all strings': (body, text) => body.replace(/:"[^"]*"/g, () => `:${text}`),
  keywords: (body, text) => body.replace(/"(type|\$ref|pattern|format|id)":"[^"]*"/g, (_, name) => `"${name}":${text}`),
  'a name': (body, text) => body.replace('{', () => `{${text}:1,`),
  'the whole body': (_, text) => text,
  'validation entries': (_, text) => `{"detail":[{"loc":["body",${text}],"msg":${text},"type":${text}}]}`,
  properties: (body, text) =>
    body.replace(/"properties":\{/g, () => `"properties":{${text}:{"type":"string","enum":[${text}]},`),
};
const headerNames = ['x-service-request-id', 'x-service-error-type', 'etag', 'retry-after', 'content-type', 'BRAND'];

type Echo = { text: string; where: string; status: number | undefined; inReason: boolean };

/** Sends the healthy response with a text in its body or in a header. */
async function echo({ healthy, response }: Exchange, { text, where, status, inReason }: Echo): Promise<void> {
  const reply = await healthy();
  const change = echoes[where];
  const oneLine = text.replace(/[\r\n\t]+ */g, ' ').slice(0, 4_000);
  const inName = text.replace(/[^\w-]/g, '') || 'x';
  // Escapes in the text stay as they are.
  const body =
    change === undefined ? reply.body : Buffer.from(change(reply.body.toString(), `"${text.replace(/"/g, '\\"')}"`));
  const own =
    where === 'BRAND' ? { [`x-${inName}-request-id`]: 'x' } : { [where]: where === 'etag' ? `"${oneLine}"` : oneLine };
  const headers = {
    ...reply.headers,
    ...(change === undefined ? own : {}),
    'content-length': String(body.length),
    connection: 'close',
  };
  const first = head(`${status ?? reply.status} ${inReason ? oneLine : 'Reason'}`, headers);
  response.socket?.end(Buffer.concat([Buffer.from(first, 'latin1'), reply.status === 304 ? Buffer.alloc(0) : body]));
}

/** Makes a catalog without an end. `text` is an id in each page; `cursor` selects the kind of its cursors. */
function listing(cursor: number, text: string): Hostility {
  let page = 0;
  const act: Act = ({ response, canary }) => {
    page += 1;
    const many = Array.from({ length: 20 }, (_, entry) => ({
      id: `p${page}/m${entry}`,
      input_schema_url: `${canary}/s`,
    }));
    const next_cursor = [`c${page}`, 'same', `${canary}/v2/models?cursor=1`, 'x'.repeat(200_000), text][cursor];
    const body = {
      data: [{ id: text, provider: text, model: 7 }, 7, ...many],
      has_more: true,
      limit: 100,
      next_cursor,
    };
    response.writeHead(200, json).end(JSON.stringify(body));
  };
  return [`a catalog without an end, cursor ${cursor}`, act];
}

const oddBodies = ['', '<html>', '{"data":[null]}', '{"data":{}}', '{"data":[{"id":{}}],"has_more":"yes"}'];
const oddAnswer = fc
  .record({
    status: fc.oneof(fc.constantFrom(200, 304, 401, 404, 429, 503), fc.integer({ min: 200, max: 799 })),
    reason: fc.constantFrom('Odd', '\u202eOdd', '\x1b[2JOdd', 'x'.repeat(9_000)),
    'Content-Type': fc.constantFrom('text/html', 'application/json; charset=utf-16', '', 'application/json'),
    'Retry-After': fc.constantFrom('0', '999999999999', '-1', 'Fri, 31 Dec 9999 23:59:59 GMT', '1e3'),
    ETag: fc.constantFrom('"a"', '', 'W/', '"', `"${'e'.repeat(9_000)}"`),
    body: fc.oneof(
      fc.constantFrom(...oddJson, ...oddBodies),
      hostileText,
      hostileText.map((text) => JSON.stringify({ detail: text, error_type: text })),
    ),
  })
  .map(({ status, reason, body, ...headers }): Hostility => {
    const text = head(`${status} ${reason}`, { ...headers, 'Content-Length': String(Buffer.byteLength(body)) }) + body;
    return [`${status} ${body.slice(0, 60)}`, ({ response }) => response.socket?.write(text)];
  });

const pouring = (what: string, bytes: number, everyMs: number): Hostility => {
  const [first, part] = endless[what]?.(bytes) ?? ['', ''];
  return [`endless ${what}, ${bytes} bytes every ${everyMs} ms`, (exchange) => pour(exchange, first, part, everyMs)];
};
const raw = (text: string, ending: string): Hostility => [
  `${JSON.stringify(text)}, then ${ending}`,
  ({ response: { socket } }) =>
    socket?.write(text, () => (ending === 'reset' ? socket.resetAndDestroy() : ending === 'end' && socket.end())),
];
const redirect = (status: number, target: string): Hostility => [
  `${status} to ${target}`,
  (exchange) => {
    const headers = { Location: targets[target]?.(exchange) ?? '', 'Content-Length': '0' };
    return exchange.response.socket?.write(head(`${status} Moved`, headers));
  },
];
const large = (kind: string, megabytes: number): Hostility => {
  const coding = kind in compress ? { 'content-encoding': kind } : {};
  const body = compress[kind]?.(megabytes) ?? hugeJson[kind]?.(megabytes * 66_000);
  return [`${megabytes} units of ${kind}`, ({ response }) => response.writeHead(200, { ...json, ...coding }).end(body)];
};
const document = ({ name, print }: HostileModel): Hostility => [
  name,
  ({ request, response }) => response.writeHead(200, json).end(print(request.path.split('/').slice(3, 5).join('/'))),
];

const key = (record: object): fc.Arbitrary<string> => fc.constantFrom(...Object.keys(record));
const at = (place: string, [name, act]: Hostility): HostileServer => ({ name: `${name} for ${place}`, place, act });

/** Generates servers with a random hostile behaviour; some repeat a credential. */
export const hostileServers = (secret: string): fc.Arbitrary<HostileServer> => {
  const echoing = fc.record({
    text: fc.tuple(fc.nat(500), notation).map(([pad, form]) => 'p'.repeat(pad) + encode(secret, form)),
    where: fc.oneof(key(echoes), fc.constantFrom(...headerNames)),
    status: fc.constantFrom(undefined, undefined, 401, 403, 404, 418, 429, 500, 503),
    inReason: fc.boolean(),
  });
  const anywhere = weighted<Hostility>(
    [6, echoing.map((inserted) => [`the credential in ${inserted.where}`, (exchange) => echo(exchange, inserted)])],
    [2, oddAnswer],
    [
      2,
      fc
        .tuple(key(endless), fc.integer({ min: 1, max: 60_000 }), fc.constantFrom(0, 20, 900))
        .map((parts) => pouring(...parts)),
    ],
    [
      1,
      fc.tuple(fc.constantFrom(...partial), fc.constantFrom('end', 'reset', 'nothing')).map((parts) => raw(...parts)),
    ],
    [1, fc.tuple(fc.constantFrom(301, 302, 303, 307, 308, 300, 305), key(targets)).map((parts) => redirect(...parts))],
    [2, fc.tuple(key({ ...compress, ...hugeJson }), fc.integer({ min: 1, max: 60 })).map((parts) => large(...parts))],
  );
  return weighted(
    [12, fc.tuple(key(places), anywhere).map((parts) => at(...parts))],
    [3, hostileModels(secret).map((model) => at('documents', document(model)))],
    [1, fc.tuple(fc.nat(4), hostileText).map((parts) => at('the catalog', listing(...parts)))],
  );
};

const longLists = { type: 'array', minItems: 2_000_000_000, items: { type: 'string', minLength: 2_000_000_000 } };
export const namedServers: readonly HostileServer[] = [
  at('documents', large('gzip, gzip', 60)),
  at('all requests', large('br', 60)),
  at('the catalog', pouring('headers', 60_000, 0)),
  at('documents', pouring('body', 1, 900)),
  at('other requests', pouring('interim responses', 0, 0)),
  at('the catalog', redirect(307, 'another host')),
  at('documents', redirect(301, 'another host, with backslashes')),
  at('the catalog', listing(0, '../../x')),
  at(
    'documents',
    document({ name: 'long lists', print: (id) => JSON.stringify(makeDocument(id, { input: object({ longLists }) })) }),
  ),
  at('all requests', raw('', 'nothing')),
  at('the catalog', large('nested lists', 60)),
  at('the catalog', large('escapes', 60)),
];
