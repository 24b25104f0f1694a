import type { ServerResponse } from 'node:http';
import { randomForm } from './credentials.ts';
import { hostileModel } from './documents.ts';
import { dangerousPattern, hostileText } from './hostile-texts.ts';
import type { Asked, Behaviour, Reply } from './router.ts';
import {
  type Act,
  type Arms,
  bomb,
  endless,
  head,
  hugeJson,
  informational,
  json,
  oddAnswer,
  redirect,
  silent,
  torn,
} from './wire-behaviours.ts';

export type Hostility = { readonly kind: string; readonly behaviour: Behaviour };

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
  const form = randomForm(random);
  const pad = random.chance(0.5) ? '' : 'p'.repeat(random.size(1, 500));
  const secret = `${pad}${form(random.one(credentials))}`;
  const inHeader = random.chance(0.5);
  const oneLine = secret.replace(/[\r\n\t]+ */g, ' ').slice(0, 4_000);
  const reason = random.chance(0.3) ? oneLine : 'Reason';
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
    // As the brand of the server.
    `x-${secret.replace(/[^\w-]/g, '')}-request-id`,
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
      ...(inHeader ? { [header]: header === 'etag' ? `"${oneLine}"` : oneLine } : {}),
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
