import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Random } from './attack-class.ts';
import { forms } from './credentials.ts';
import { hostileModel } from './documents.ts';
import { dangerousPattern, hostileText } from './hostile-texts.ts';
import type { Asked, Behaviour, Reply } from './router.ts';

/** What a hostile server is made with: the secrets it can echo and an address that must not be asked. */
export type Arms = { readonly random: Random; readonly credentials: readonly string[]; readonly canary: string };
export type Hostility = { readonly kind: string; readonly behaviour: Behaviour };

type Act = (asked: Asked, response: ServerResponse, healthy: () => Promise<Reply>) => void | Promise<void>;
type Place = (asked: Asked) => boolean;

const isListing: Place = ({ url }) => url.pathname === '/v2/models';
const isDocument: Place = ({ url }) => url.pathname.endsWith('/openapi.json');
const places: readonly Place[] = [
  isListing,
  isDocument,
  isDocument,
  (asked) => !isListing(asked),
  ({ headers }) => headers['x-api-key'] === undefined && headers.authorization === undefined,
  ({ headers }) => headers['if-none-match'] !== undefined,
  () => true,
];

const at =
  (place: Place, act: Act): Behaviour =>
  async (asked, response, healthy) => {
    if (!place(asked)) return false;
    await act(asked, response, healthy);
    return true;
  };

/** Writes without end, as fast as the other side takes it or with a pause after each part. */
async function pour(response: ServerResponse, part: () => string | Buffer, everyMs = 0): Promise<void> {
  const { socket } = response;
  while (socket !== null && !socket.destroyed) {
    if (!socket.write(part())) await new Promise((done) => void socket.once('drain', done).once('close', done));
    await pause(everyMs);
  }
}

const head = (status: string, headers: Record<string, string>): string =>
  `HTTP/1.1 ${status}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const json = { 'Content-Type': 'application/json' };

const zeros = Buffer.alloc(16 * 1024 * 1024, 0x20);
const bombs: readonly (readonly [coding: string, make: (count: number) => Buffer])[] = [
  ['gzip', (count) => Buffer.concat(Array.from({ length: count }, () => gzipSync(zeros)))],
  ['gzip, gzip', (count) => gzipSync(Buffer.concat(Array.from({ length: count }, () => gzipSync(zeros))))],
  ['br', (count) => brotliCompressSync(Buffer.alloc(count * zeros.length, 0x20), { params: { 1: 3 } })],
  ['deflate', (count) => deflateSync(Buffer.alloc(count * zeros.length, 0x20))],
];

const bomb = ({ random }: Arms): Act => {
  const [coding, make] = random.one(bombs);
  const body = make(random.size(8, 70));
  return (_asked, response) => void response.writeHead(200, { ...json, 'content-encoding': coding }).end(body);
};

const informational = ({ random }: Arms): Act => {
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

const endless = ({ random }: Arms): Act => {
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

const silent = ({ random }: Arms): Act =>
  random.one<Act>([
    () => {},
    (_asked, response) => void response.socket?.write('HTTP/1.1 200'),
    (_asked, response) => void response.socket?.write(head('200 OK', { ...json, 'Content-Length': '90' })),
    (_asked, response) =>
      void response.socket?.write(`${head('200 OK', { ...json, 'Content-Length': '90' })}{"data":[`),
  ]);

const torn = ({ random }: Arms): Act => {
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

const redirect = ({ random, canary }: Arms): Act => {
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

const oddAnswer = ({ random }: Arms): Act => {
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
  return (_asked, response) =>
    void response.socket?.write(
      `${head(`${status} ${random.one(['Odd', '\u202eOdd', '\x1b[2JOdd', 'x'.repeat(9_000)])}`, { 'Content-Type': media, ETag: random.one(['"a"', '', 'W/', '"', `"${'e'.repeat(9_000)}"`]), ...retry, 'Content-Length': String(Buffer.byteLength(body)) })}${body}`,
    );
};

const hugeJson = ({ random }: Arms): Act => {
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

const documents = ({ random }: Arms): Act => {
  const texts = Array.from({ length: 4 }, (_, index) => hostileModel(random, index).text);
  const { pattern, text } = dangerousPattern(random);
  const many = Array.from({ length: 60 }, (_, index) => [`p${index}`, { $ref: '#/components/schemas/S' }]);
  const schema = random.one<object>([
    { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern, example: text, default: text } } },
    {
      allOf: Array.from({ length: 40 }, (_, index) => ({
        oneOf: [{ required: [`a${index}`] }, { required: [`b${index}`] }, { properties: { c: { pattern } } }],
      })),
    },
    { type: 'object', required: many.map(([name]) => name), properties: Object.fromEntries(many) },
    { type: 'array', minItems: 2_000_000_000, items: { type: 'string', minLength: 2_000_000_000 } },
    { type: 'object', minProperties: 1_000_000_000, additionalProperties: { type: 'string' } },
  ]);
  return (asked, response, healthy) =>
    serveDocument({ asked, response, healthy }, { texts, schema, isWhole: random.chance(0.4) });
};

/** The healthy document with its input schema replaced, or another document altogether. */
async function serveDocument(
  { asked, response, healthy }: { asked: Asked; response: ServerResponse; healthy: () => Promise<Reply> },
  { texts, schema, isWhole }: { texts: string[]; schema: object; isWhole: boolean },
): Promise<void> {
  const { status, headers, body } = await healthy();
  if (status !== 200) return void response.writeHead(status, headers).end(body);
  const { 'content-length': _, ...others } = headers;
  if (isWhole) return void response.writeHead(200, others).end(texts[asked.path.length % texts.length]);
  const document = JSON.parse(body.toString());
  for (const item of Object.values<Record<string, { requestBody?: object }>>(document.paths ?? {}))
    for (const operation of Object.values(item))
      if (operation.requestBody !== undefined)
        operation.requestBody = { required: true, content: { 'application/json': { schema } } };
  document.components = {
    schemas: {
      ...document.components?.schemas,
      S: {
        type: 'object',
        required: Object.keys(Object(schema).properties ?? {}),
        properties: Object(schema).properties,
      },
    },
  };
  response.writeHead(200, others).end(JSON.stringify(document));
}

const listing = ({ random, canary }: Arms): Act => {
  const isLong = random.chance(0.4);
  const entry = (index: number): unknown =>
    random.one<() => unknown>([
      () => ({
        id: `p${index}/m`,
        provider: `p${index}`,
        model: 'm',
        billing: { charges_on_policy_rejection: 'no' },
        input_schema_url: `${canary}/schema/${index}`,
      }),
      () => ({ id: hostileText(random), provider: hostileText(random), model: 7 }),
      () => ({ id: `${'x'.repeat(isLong ? 300_000 : 300)}/y` }),
      () => index,
    ])();
  const cursor = random.one<(count: number) => unknown>([
    (count) => `c${count}`,
    () => 'same',
    () => `${canary}/v2/models?cursor=1`,
    () => 'x'.repeat(200_000),
    () => '\u202e\0',
    () => 7,
    () => '../../x?limit=1#',
  ]);
  let count = 0;
  return (_asked, response) => {
    count += 1;
    const data = Array.from({ length: random.size(1, 60) }, (_, index) => entry(count * 100 + index));
    response.writeHead(200, json).end(JSON.stringify({ data, has_more: true, limit: 100, next_cursor: cursor(count) }));
  };
};

/** Secrets in places of a healthy answer, at a random distance from its start, so that excerpts end within them. */
const echo = ({ random, credentials }: Arms): Act => {
  const form = random.one(Object.values(forms));
  const pad = random.chance(0.5) ? '' : 'p'.repeat(random.size(1, 500));
  const secret = `${pad}${form(random.one(credentials))}`;
  const inHeader = random.chance(0.5);
  const reason = random.chance(0.3) ? secret : 'Reason';
  const names = [
    'x-service-request-id',
    'x-service-error-type',
    'etag',
    'location',
    'retry-after',
    'x-custom',
    'content-type',
    'idempotent-replayed',
    'link',
    'cache-control',
    'www-authenticate',
    secret.replace(/[^\w-]/g, '') || 'x',
  ];
  const header = random.one(names);
  const change = random.one<(text: string) => string>([
    (text) =>
      text.replace(
        /"(detail|error_type|title|description|id|provider|model|etag|next_cursor|request_id|msg|type)":"[^"]*"/g,
        (_, name: string) => `"${name}":${quoted(secret)}`,
      ),
    (text) => text.replace(/\{/, `{${quoted(secret)}:1,`),
    (text) => text.replace(/:"[^"]*"/g, () => `:${quoted(secret)}`),
    () => secret,
    (text) =>
      text.replace(/"(type|\$ref|pattern|format)":"[^"]*"/g, (_, name: string) => `"${name}":${quoted(secret)}`),
    (text) => text.replace(/\}$/, `,"extra":{"list":[${quoted(secret)}]}}`),
    () => JSON.stringify({ detail: [{ loc: ['body', secret], msg: secret, type: secret }] }),
    (text) =>
      text.replace(
        /"properties":\{/g,
        () => `"properties":{${quoted(secret)}:{"type":"string","enum":[${quoted(secret)}]},`,
      ),
  ]);
  const status = random.pick([undefined, undefined, 401, 403, 404, 418, 429, 500, 503]);
  return async (_asked, response, healthy) => {
    const reply = await healthy();
    const body = inHeader ? reply.body : Buffer.from(change(reply.body.toString()));
    const { 'content-length': _, 'content-encoding': _coding, ...others } = reply.headers;
    const headers = {
      ...others,
      ...(inHeader ? { [header]: header === 'etag' ? `"${secret}"` : secret } : {}),
      'content-length': String(body.length),
      connection: 'close',
    };
    response.socket?.end(
      Buffer.concat([
        Buffer.from(head(`${status ?? reply.status} ${reason}`, headers), 'latin1'),
        reply.status === 304 ? Buffer.alloc(0) : body,
      ]),
    );
  };
};

// Escapes of the secret's form stay as they are.
const quoted = (text: string): string => `"${text.replace(/"/g, '\\"')}"`;

const kinds: readonly (readonly [kind: string, share: number, make: (arms: Arms) => Act, places?: readonly Place[]])[] =
  [
    ['echo', 26, echo],
    ['document', 16, documents, [isDocument]],
    ['bomb', 7, bomb],
    ['informational', 6, informational],
    ['endless', 9, endless],
    ['silent', 4, silent],
    ['torn', 6, torn],
    ['redirect', 7, redirect],
    ['answer', 8, oddAnswer],
    ['json', 6, hugeJson],
    ['listing', 5, listing, [isListing]],
  ];
const slots = kinds.flatMap(([kind, share, make, where = places]) =>
  Array.from({ length: share }, () => ({ kind, make, where })),
);

/** A server that is hostile in one way at one kind of address. */
export function hostility(arms: Arms): Hostility {
  const { kind, make, where } = arms.random.one(slots);
  return { kind, behaviour: at(arms.random.one(where), make(arms)) };
}
