import { expect, test } from 'vitest';
import { compileSchema, isJsonObject, readOwnCatalog, resolvePointer, type Schema } from '../../../specs/src/index.ts';
import { createTestSandbox } from '../../tests/test-sandbox.ts';

const still = '/v2/models/image-provider/still-2.1';
const input = { prompt: 'A lighthouse in fog' };

const withExample = readOwnCatalog().flatMap(({ id, document }) => {
  const operation = `/paths/${`/v2/models/${id}`.replaceAll('/', '~1')}/post`;
  const example =
    resolvePointer(document, `${operation}/requestBody/content/application~1json/example`) ??
    resolvePointer(document, `${operation}/requestBody/content/application~1json/schema/example`);
  const schema = resolvePointer(document, `${operation}/responses/200/content/application~1json/schema`);
  return example === undefined ? [] : [{ id, document, example, schema }];
});

test.each(withExample)(
  'the model $id runs with the example of its document and returns the documented output',
  async (model) => {
    const reply = await createTestSandbox().call('POST', `/v2/models/${model.id}`, { json: model.example });
    expect(reply.status, reply.text).toBe(200);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    if (!isJsonObject(model.schema)) return;
    const schema: Schema = model.schema;
    expect(compileSchema(schema, { root: model.document })(JSON.parse(reply.text))).toEqual([]);
  },
);

test.each([
  ['audio-provider/speech_v2', { text: 'Good morning.' }, /^audio\/[a-z]+$/],
  ['raw-provider/passthrough', input, /^application\/json$/],
])('the model %s returns a concrete media type if its document allows any media type', async (id, json, mediaType) => {
  const reply = await createTestSandbox().call('POST', `/v2/models/${id}`, { json });
  expect(reply.headers.get('content-type')).toMatch(mediaType);
  expect(reply.bytes.length).toBeGreaterThan(0);
});

test('a run accepts any object if the input schema is unauthored', async () => {
  const reply = await createTestSandbox().call('POST', '/v2/models/raw-provider/open-input', {
    body: '{"__proto__":{"a":[null]}}',
  });
  expect(reply.status).toBe(200);
});

// MR-LIM-11
test('a run returns 413 for a body above the limit, even if its length was not declared', async () => {
  const sandbox = createTestSandbox({ bodyLimitBytes: 50 });
  const long = JSON.stringify({ prompt: 'x'.repeat(60) });
  const announced = await sandbox.call('POST', still, {
    body: long,
    headers: { 'Content-Length': String(long.length) },
  });
  const streamed = await sandbox.call('POST', still, { body: long });
  for (const reply of [announced, streamed]) {
    expect([reply.status, reply.json['error_type']]).toEqual([413, 'invalid_input']);
  }
});
