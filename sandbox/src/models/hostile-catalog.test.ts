import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkedFormats, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { createTestSandbox, type Reply } from '../../tests/test-sandbox.ts';
import { type CatalogFolder, readCatalogFolder } from '../catalog-folder.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const refer = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const nestArrays = (depth: number): JsonValue => range(depth).reduce<JsonValue>((inner) => [inner], []);
const createProperties = (count: number, schema: JsonObject): JsonObject =>
  Object.fromEntries(range(count).map((index) => [`m${index}`, schema]));
const createList = (length: number): JsonValue => range(length).map((index) => ({ index }));

const createClosedObject = (index: number): JsonObject => ({
  type: 'object',
  properties: { [`only${index}`]: text },
  additionalProperties: false,
});

const createKind = (index: number): JsonObject => ({
  type: 'object',
  properties: { kind: { const: `k${index}` } },
  required: ['kind'],
});

type Schemas = JsonObject & { S0: JsonObject };
const fanOut = (word: string): Schemas => ({
  ...Object.fromEntries(
    range(40).map((index) => [`S${index}`, { [word]: [refer(`S${index + 1}`), refer(`S${index + 1}`)] }]),
  ),
  S0: { [word]: [refer('S1'), refer('S1')] },
  S40: { type: 'object' },
});

/** Models with hostile documents, and hostile inputs for them. */
const hostileModels: Readonly<Record<string, { schemas: Schemas; input: JsonObject }>> = {
  pattern: {
    schemas: { S0: { properties: { a: { type: 'string', pattern: '^(a+)+$' } } } },
    input: { a: `${'a'.repeat(35)}!` },
  },
  'two-branches-over-the-same-items': {
    schemas: {
      S0: { properties: { a: refer('S1') } },
      S1: { type: 'array', items: { anyOf: [refer('S1'), refer('S1')] } },
    },
    input: { a: [nestArrays(40)] },
  },
  'two-branches-over-the-same-members': {
    schemas: { S0: { additionalProperties: { oneOf: [refer('S0'), refer('S0')] } } },
    input: range(40).reduce<JsonObject>((inner) => ({ a: inner }), { a: 1 }),
  },
  'unique-items': {
    schemas: { S0: { properties: { a: { type: 'array', uniqueItems: true } } } },
    input: { a: createList(50_000) },
  },
  'members-of-itself': {
    schemas: {
      S0: {
        type: 'object',
        properties: createProperties(60, refer('S0')),
        required: Object.keys(createProperties(60, text)),
      },
    },
    input: {},
  },
  'many-members': {
    schemas: {
      S0: {
        type: 'object',
        properties: createProperties(1_000, text),
        required: Object.keys(createProperties(1_000, text)),
      },
    },
    input: createProperties(1_000, {}),
  },
  'many-examples': {
    schemas: { S0: { type: 'object', required: ['z'], examples: range(20_000).map((index) => ({ index })) } },
    input: { z: 1 },
  },
  'many-items-that-fail': {
    schemas: {
      S0: { type: 'object', properties: { a: { type: 'array', items: refer('S1') } } },
      S1: { type: 'object', properties: createProperties(20, text), required: Object.keys(createProperties(20, text)) },
    },
    input: { a: range(190_000).map(() => ({})) },
  },
  'names-that-depend-on-each-other': {
    schemas: {
      S0: {
        type: 'object',
        dependentRequired: Object.fromEntries(
          range(1_500).map((index) => [`m${index}`, Object.keys(createProperties(1_500, {}))]),
        ),
      },
    },
    input: createProperties(1_000, {}),
  },
  'closed-alternatives': {
    schemas: { S0: { anyOf: range(1_000).map((index) => createClosedObject(index)) } },
    input: Object.fromEntries(range(90_000).map((index) => [`${index}`, 1])),
  },
  'closed-alternatives-of-items': {
    schemas: {
      S0: { properties: { a: { items: { anyOf: range(1_000).map((index) => createClosedObject(index)) } } } },
    },
    input: { a: range(60_000).map((index) => ({ [`${index}`]: 1 })) },
  },
  'fan-of-all-of': { schemas: fanOut('allOf'), input: {} },
  'fan-of-any-of': { schemas: fanOut('anyOf'), input: { a: 1 } },
  'fan-of-one-of': { schemas: fanOut('oneOf'), input: { a: 1 } },
  'too-many-members': {
    schemas: { S0: { type: 'object', properties: createProperties(49_000, text) } },
    input: createProperties(49_000, {}),
  },
  'tower-of-not': {
    schemas: {
      S0: range(200).reduce<JsonObject>((inner) => ({ not: inner }), { properties: createProperties(100, text) }),
    },
    input: createProperties(10_000, {}),
  },
  'tower-of-evaluated-members': {
    schemas: {
      S0: {
        unevaluatedProperties: false,
        ...range(200).reduce<JsonObject>((inner) => ({ allOf: [inner] }), { additionalProperties: true }),
      },
    },
    input: createProperties(90_000, {}),
  },
  'many-names-that-miss': {
    schemas: { S0: { type: 'object', required: Object.keys(createProperties(50_000, {})) } },
    input: {},
  },
  'many-names-for-every-item': {
    schemas: {
      S0: { properties: { a: { items: { anyOf: [{ required: Object.keys(createProperties(20_000, {})) }, text] } } } },
    },
    input: { a: range(150_000).map(() => ({})) },
  },
  'many-values-for-every-item': {
    schemas: { S0: { properties: { a: { items: { enum: range(20_000).map((index) => ({ index })) } } } } },
    input: { a: range(90_000).map((index) => ({ other: index })) },
  },
  'many-names-for-patterns': {
    schemas: { S0: { patternProperties: Object.fromEntries(range(400).map((index) => [`(a|b)*x${index}$`, text])) } },
    input: Object.fromEntries(range(90_000).map((index) => [`ababab${index}`, 'x'])),
  },
  'long-name-of-many-failures': {
    schemas: { S0: { additionalProperties: { items: text } } },
    input: { ['n'.repeat(1_000_000)]: range(100_000).map((index) => index) },
  },
  'unions-in-unions': {
    schemas: {
      S0: {
        properties: {
          a: {
            items: range(12).reduce<JsonObject>((inner) => ({ anyOf: [inner, { type: 'object', required: ['z'] }] }), {
              type: 'object',
              required: Object.keys(createProperties(100, {})),
            }),
          },
        },
      },
    },
    input: { a: range(100_000).map(() => ({})) },
  },
  'discriminator-of-ten-thousand': {
    schemas: {
      S0: { properties: { a: { items: refer('Kinds') } } },
      Kinds: {
        oneOf: range(10_000).map((index) => refer(`Kind${index}`)),
        discriminator: {
          propertyName: 'kind',
          mapping: Object.fromEntries(range(10_000).map((index) => [`k${index}`, `#/components/schemas/Kind${index}`])),
        },
      },
      ...Object.fromEntries(range(10_000).map((index) => [`Kind${index}`, createKind(index)])),
    },
    input: { a: range(5_000).map((index) => ({ kind: `k${10_000 + index}` })) },
  },
  'long-texts-of-every-format': {
    schemas: {
      S0: { properties: Object.fromEntries(checkedFormats.map((format) => [format, { type: 'string', format }])) },
    },
    input: Object.fromEntries(checkedFormats.map((format) => [format, 'a@1.:/'.repeat(160_000)])),
  },
  'numbers-beyond-all-bounds': {
    schemas: { S0: { properties: { a: { items: { type: 'number', multipleOf: 5e-324, minimum: 1 } } } } },
    input: { a: range(100_000).map((index) => 1.5 * index * 1e300) },
  },
};
function createDocument(model: string, schemas: Schemas, output = 'S0'): JsonObject {
  const bodyOf = (name: string): JsonObject => ({ content: { 'application/json': { schema: refer(name) } } });
  const post = { requestBody: bodyOf('S0'), responses: { 200: bodyOf(output) } };
  const alternates = [{ provider: 'other', model_id: 'p/many-members' }];
  return {
    openapi: '3.1.0',
    info: { title: model, version: '1' },
    'x-service-router-alt-providers': alternates,
    paths: { [`/v2/models/p/${model}`]: { post } },
    components: { schemas },
  };
}

let folder = '';
let reading: Promise<CatalogFolder>;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  const all = Object.entries(hostileModels).map(([name, { schemas }]) => [name, schemas] as const);
  const billing = { charges_on_policy_rejection: 'no' };
  const entries = all.map(([model]) => ({ id: `p/${model}`, provider: 'p', model, billing }));
  writeFileSync(join(folder, 'catalog.json'), JSON.stringify(entries));
  for (const [model, schemas] of all) {
    mkdirSync(join(folder, 'models/p', model), { recursive: true });
    writeFileSync(join(folder, 'models/p', model, 'openapi.json'), JSON.stringify(createDocument(model, schemas)));
  }
  reading = readCatalogFolder(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Maximum processor time for two calls, each of which checks its input twice. */
const maxProcessorMs = 10_000;

test('readCatalogFolder() reads every model of a hostile catalog', async () => {
  const { models, problems } = await reading;
  expect(models.map(({ id }) => id)).toEqual(Object.keys(hostileModels).map((model) => `p/${model}`));
  expect(problems.filter((problem) => !/could not generate a valid value|only checked/.test(problem))).toEqual([]);
  expect(problems.join()).toContain('p/members-of-itself: could not generate');
});

test.each(Object.entries(hostileModels))(
  'a run of the hostile model %s does not block other callers',
  { timeout: 120_000 },
  async (model, { input }) => {
    const { models, problems } = await reading;
    const isListed = problems.some((problem) => problem.startsWith(`p/${model}: could not generate a valid value`));
    const { call } = createTestSandbox({ catalog: models });
    const begun = process.threadCpuUsage();
    for (const query of ['', '?model_provider=other']) {
      const reply = await call('POST', `/v2/models/p/${model}${query}`, { json: input });
      expect(reply.status < 500 || (isListed && reply.status === 502)).toBe(true);
      expect(reply.text.length).toBeLessThan(2_000_000);
    }
    const { user, system } = process.threadCpuUsage(begun);
    expect((user + system) / 1_000).toBeLessThan(maxProcessorMs);
  },
);

test.each([
  ['200,001 members', `{${Array.from({ length: 200_001 }, (_, index) => `"m${index}":0`).join()}}`],
  ['a million objects', `{"a":[${'{},'.repeat(1_000_000)}1]}`],
])('a run rejects an input with %s before parsing it', async (_, body) => {
  const reply = await createTestSandbox().call('POST', '/v2/models/raw-provider/passthrough', { body });
  expect([reply.status, reply.json['detail']]).toEqual([400, 'The request body contains more than 200000 values.']);
});

test('the sandbox rejects runs if all results together are too large, and accepts runs again after a reset', async () => {
  const schema = { type: 'object', examples: [{ text: 'x'.repeat(6_000_000) }] };
  const document = createDocument('large', { S0: { type: 'object' }, Large: schema }, 'Large');
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const sandbox = createTestSandbox({
    catalog: [{ id: 'p/large', billing: 'no', bytes }],
    limits: { spendCents: 1_000_000 },
  });
  const submit = (): Promise<Reply> => sandbox.call('POST', '/v2/models/p/large/requests', { json: {} });
  const replies: Reply[] = [];
  while (replies.length < 100 && replies.at(-1)?.status !== 503) replies.push(await submit());
  expect(replies.at(-1)?.status).toBe(503);
  expect(replies.at(-1)?.json['detail']).toContain('POST /__sandbox/reset');
  expect(replies.slice(0, -1).map(({ status }) => status)).toEqual(Array(replies.length - 1).fill(201));
  sandbox.reset();
  expect((await submit()).status).toBe(201);
});
