import { expect, test } from 'vitest';
import { createTestSandbox, testModel } from '../../tests/test-sandbox.ts';

const manyModels = Array.from({ length: 130 }, (_, index) => testModel(`p/m-${index}`, {}));

test('the listing rejects a cursor that is malformed, expired, or from a different catalog', async () => {
  const sandbox = createTestSandbox({ catalog: manyModels });
  const { json } = await sandbox.call('GET', '/v2/models?limit=5');
  const path = `/v2/models?cursor=${json['next_cursor']}`;
  expect((await sandbox.call('GET', path)).status).toBe(200);
  for (const other of [{ catalog: manyModels.slice(1) }, { catalog: manyModels, seed: 2 }])
    expect((await createTestSandbox(other).call('GET', path)).status).toBe(400);
  const signed = String(json['next_cursor']);
  expect(signed).toMatch(/^[\w-]{1,512}$/);
  expect(Buffer.from(signed, 'base64url').toString('latin1')).not.toContain('p/m-'); // MR-CAT-06
  const changed = signed.slice(0, 30) + (signed[30] === 'A' ? 'B' : 'A') + signed.slice(31);
  const unsigned = btoa('0123456789abcdef.0.99999999999999').replaceAll('=', '');
  for (const cursor of ['', 'garbage', '40', 'a'.repeat(600), 'p/m-5', 'ä ö', changed, unsigned]) {
    const reply = await sandbox.call('GET', `/v2/models?cursor=${cursor}`);
    expect([reply.status, reply.json['error_type']]).toEqual([400, 'invalid_input']);
  }
  sandbox.clock.advance(60 * 60 * 1000);
  expect((await sandbox.call('GET', path)).status).toBe(400);
});

test('the listing of an empty catalog is one empty page', async () => {
  const { json } = await createTestSandbox({ catalog: [] }).call('GET', '/v2/models');
  expect(json).toEqual({ data: [], has_more: false, limit: 20 });
});

test('the detail of a model has a link to its schema document over HTTPS, but not over plain HTTP', async () => {
  const sandbox = createTestSandbox({ catalog: manyModels });
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
