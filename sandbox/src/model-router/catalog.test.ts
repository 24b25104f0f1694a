import { expect, test } from 'vitest';
import type { JsonValue } from '../../../specs/src/index.ts';
import { createTestSandbox, testModel } from '../../tests/test-sandbox.ts';

const many = Array.from({ length: 130 }, (_, index) => testModel(`p/m-${index}`, {}));

test.each([
  ['', 20],
  ['?limit=1', 1],
  ['?limit=100', 100],
  ['?limit=101', 100],
  ['?limit=99999999999999999999', 100],
  ['?limit=0', 20],
  ['?limit=-5', 20],
])('%s lists %i models', async (query, limit) => {
  const { status, json } = await createTestSandbox({ catalog: many }).call('GET', `/v2/models${query}`);
  expect(status).toBe(200);
  expect(json['limit']).toBe(limit);
  expect(json['data']).toHaveLength(limit);
  expect(json['has_more']).toBe(true);
});

test.each(['x', '', '1.5', '1e2', '%205', '0x10'])('refuses limit=%s', async (limit) => {
  const { status, json } = await createTestSandbox({ catalog: many }).call('GET', `/v2/models?limit=${limit}`);
  expect([status, json['error_type']]).toEqual([400, 'invalid_input']);
});

test('lists each model once over all cursors, and sends none with the last page', async () => {
  const sandbox = createTestSandbox({ catalog: many });
  const ids: JsonValue[] = [];
  let page = await sandbox.call('GET', '/v2/models?limit=50');
  for (let pages = 1; ; pages += 1) {
    for (const entry of Array.isArray(page.json['data']) ? page.json['data'] : []) ids.push(entry);
    if (page.json['has_more'] === false) break;
    expect(pages).toBeLessThan(5);
    page = await sandbox.call('GET', `/v2/models?limit=50&cursor=${page.json['next_cursor']}`);
  }
  expect(page.json).not.toHaveProperty('next_cursor');
  expect(ids).toHaveLength(130);
  expect(ids[129]).toEqual({
    id: 'p/m-129',
    provider: 'p',
    model: 'm-129',
    billing: { charges_on_policy_rejection: 'no' },
  });
});

test('refuses a cursor that is malformed, from another catalog, or too old', async () => {
  const sandbox = createTestSandbox({ catalog: many });
  const { json } = await sandbox.call('GET', '/v2/models?limit=5');
  const path = `/v2/models?cursor=${json['next_cursor']}`;
  expect((await sandbox.call('GET', path)).status).toBe(200);
  expect((await createTestSandbox({ catalog: many.slice(1) }).call('GET', path)).status).toBe(400);
  for (const cursor of ['', 'garbage', 'a'.repeat(600), 'p/m-5']) {
    const reply = await sandbox.call('GET', `/v2/models?cursor=${cursor}`);
    expect([reply.status, reply.json['error_type']]).toEqual([400, 'invalid_input']);
  }
  sandbox.clock.advance(60 * 60 * 1000);
  expect((await sandbox.call('GET', path)).status).toBe(400);
});

test('lists an empty catalog as one empty page', async () => {
  const { json } = await createTestSandbox({ catalog: [] }).call('GET', '/v2/models');
  expect(json).toEqual({ data: [], has_more: false, limit: 20 });
});

test('links to the schema document over HTTPS, and leaves the link out over plain HTTP', async () => {
  const sandbox = createTestSandbox({ catalog: many });
  const plain = await sandbox.call('GET', '/v2/models/p/m-0');
  expect(plain.json).toEqual({
    id: 'p/m-0',
    provider: 'p',
    model: 'm-0',
    billing: { charges_on_policy_rejection: 'no' },
  });
  const secure = await sandbox.call('GET', 'https://router.test/v2/models/p/m-0');
  expect(secure.json['input_schema_url']).toBe('https://router.test/v2/models/p/m-0/openapi.json');
});

test.each(['/v2/models/p/none', '/v2/models/none/m-0', '/v2/models/p/none/openapi.json'])(
  '%s names no model',
  async (path) => {
    const { status, json } = await createTestSandbox({ catalog: many }).call('GET', path);
    expect([status, json['error_type']]).toEqual([404, 'model_not_found']);
  },
);
