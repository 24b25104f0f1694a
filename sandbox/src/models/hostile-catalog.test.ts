import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { createTestSandbox } from '../../tests/test-sandbox.ts';
import { readCatalogFolder } from '../catalog-folder.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const nested = (depth: number): JsonValue => range(depth).reduce<JsonValue>((inner) => [inner], []);
const named = (count: number, schema: JsonObject): JsonObject =>
  Object.fromEntries(range(count).map((index) => [`m${index}`, schema]));
const list = (length: number): JsonValue => range(length).map((index) => ({ index }));

type Schemas = JsonObject & { S0: JsonObject };
/** What a stranger's document describes, and what a stranger sends. */
const served: Readonly<Record<string, { schemas: Schemas; input: JsonObject }>> = {
  pattern: {
    schemas: { S0: { properties: { a: { type: 'string', pattern: '^(a+)+$' } } } },
    input: { a: `${'a'.repeat(35)}!` },
  },
  'two-branches-over-the-same-items': {
    schemas: {
      S0: { properties: { a: to('S1') } },
      S1: { type: 'array', items: { anyOf: [to('S1'), to('S1')] } },
    },
    input: { a: [nested(40)] },
  },
  'two-branches-over-the-same-members': {
    schemas: { S0: { additionalProperties: { oneOf: [to('S0'), to('S0')] } } },
    input: range(40).reduce<JsonObject>((inner) => ({ a: inner }), { a: 1 }),
  },
  'unique-items': {
    schemas: { S0: { properties: { a: { type: 'array', uniqueItems: true } } } },
    input: { a: list(50_000) },
  },
  'members-of-itself': {
    schemas: { S0: { type: 'object', properties: named(60, to('S0')), required: Object.keys(named(60, text)) } },
    input: {},
  },
  'many-members': {
    schemas: { S0: { type: 'object', properties: named(1_000, text), required: Object.keys(named(1_000, text)) } },
    input: named(1_000, {}),
  },
  'many-examples': {
    schemas: { S0: { type: 'object', required: ['z'], examples: range(20_000).map((index) => ({ index })) } },
    input: { z: 1 },
  },
};
const fan = (word: string): Schemas => ({
  ...Object.fromEntries(
    range(40).map((index) => [`S${index}`, { [word]: [to(`S${index + 1}`), to(`S${index + 1}`)] }]),
  ),
  S0: { [word]: [to('S1'), to('S1')] },
  S40: { type: 'object' },
});
const leftOut: Readonly<Record<string, Schemas>> = {
  'fan-of-all-of': fan('allOf'),
  'fan-of-any-of': fan('anyOf'),
  'too-many-members': { S0: { type: 'object', properties: named(50_000, text) } },
};

function makeDocument(model: string, schemas: Schemas): JsonObject {
  const content = { 'application/json': { schema: to('S0') } };
  const post = { requestBody: { content }, responses: { 200: { content } } };
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
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  const all = [
    ...Object.entries(leftOut),
    ...Object.entries(served).map(([name, { schemas }]) => [name, schemas] as const),
  ];
  const billing = { charges_on_policy_rejection: 'no' };
  const entries = all.map(([model]) => ({ id: `p/${model}`, provider: 'p', model, billing }));
  writeFileSync(join(folder, 'catalog.json'), JSON.stringify(entries));
  for (const [model, schemas] of all) {
    mkdirSync(join(folder, 'models/p', model), { recursive: true });
    writeFileSync(join(folder, 'models/p', model, 'openapi.json'), JSON.stringify(makeDocument(model, schemas)));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a catalog of a stranger', () => {
  test('is served without the documents that would keep every caller waiting', async () => {
    const { models, problems } = await readCatalogFolder(folder);
    expect(models.map(({ id }) => id)).toEqual(Object.keys(served).map((model) => `p/${model}`));
    expect(problems).toEqual([
      expect.stringMatching(/^p\/fan-of-all-of is left out: .*more than 10000 of its parts apply to one value$/),
      expect.stringMatching(/^p\/fan-of-any-of is left out: .*more than 10000 of its parts apply to one value$/),
      expect.stringMatching(/^p\/too-many-members is left out: .*more than 2000 parts$/),
      expect.stringMatching(/^p\/members-of-itself: no value could be made/),
    ]);
  });

  test.each(Object.entries(served))('lets no caller keep the others waiting: %s', async (model, { input }) => {
    const { models } = await readCatalogFolder(folder);
    const { call } = createTestSandbox({ catalog: models });
    for (const query of ['', '?model_provider=other', '']) {
      const reply = await call('POST', `/v2/models/p/${model}${query}`, { json: input });
      expect(reply.status).toBeLessThan(500);
    }
  });
});

test.each([
  ['200,001 members', `{${Array.from({ length: 200_001 }, (_, index) => `"m${index}":0`).join()}}`],
  ['a million objects', `{"a":[${'{},'.repeat(1_000_000)}1]}`],
])('refuses an input of %s before anyone waits for it', async (_, body) => {
  const reply = await createTestSandbox().call('POST', '/v2/models/raw-provider/passthrough', { body });
  expect([reply.status, reply.json['detail']]).toEqual([400, 'The request body holds more than 200000 values.']);
});
