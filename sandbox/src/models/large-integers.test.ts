import { expect, test } from 'vitest';
import { buildEffectiveSpecs } from '../../../specs/src/index.ts';
import { createTestSandbox } from '../../tests/test-sandbox.ts';
import { sandboxCredentials } from '../http/authentication.ts';

const largest = '18446744073709551615';
const above = '18446744073709551616'; // the double that both round to

function model(id: string, extensions: string) {
  const schema = `{"type": "object", "properties": {"seed": {"type": "integer", "maximum": ${largest}}}}`;
  const post = `{"requestBody": {"content": {"application/json": {"schema": ${schema}}}}, "responses": {}}`;
  const document = `{"openapi": "3.1.0", "paths": {"/v2/models/${id}": {"post": ${post}}}${extensions}}`;
  return { id, billing: 'no', bytes: new TextEncoder().encode(document) };
}
const alternates = ', "x-service-router-alt-providers": [{"provider": "q", "model_id": "q/m"}]';
const catalog = [model('p/m', alternates), model('q/m', '')];

test('compares all digits of an integer beyond 2^53 with a bound', async () => {
  const sandbox = createTestSandbox({ catalog });
  expect((await sandbox.call('POST', '/v2/models/p/m', { body: `{"seed":${largest}}` })).status).toBe(200);
  const refused = await sandbox.call('POST', '/v2/models/p/m', { body: `{"seed":${above}}` });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain(`"msg":"must be <= ${largest}"`);
  expect(refused.text).toContain(`"ctx":{"le":${largest}}`);
  expect(refused.text).toContain(`"input":${above}`);
});

test('forwards an integer beyond 2^53 to an alternate with all of its digits', async () => {
  const sandbox = createTestSandbox({ catalog });
  const path = '/v2/models/p/m?model_provider=q';
  const received = async (body: string) => {
    expect((await sandbox.call('POST', path, { body })).status).toBe(200);
    return sandbox.ledger().runs.at(-1)?.received;
  };
  const bytes = `{"seed":${largest}}`.length;
  expect(await received(`{"seed":  ${largest}}`)).toMatchObject([{ provider: 'q', bytes }]);
});

test('serves a document with a different brand, and keeps all digits of its integers', async () => {
  const sandbox = createTestSandbox({ catalog, specs: buildEffectiveSpecs({ brand: 'Acme' }) });
  const document = await sandbox.call('GET', '/v2/models/p/m/openapi.json', { as: sandboxCredentials.router.main });
  expect(document.text).toContain(`"maximum": ${largest}`);
  expect(document.text).toContain('x-acme-router-alt-providers');
});
