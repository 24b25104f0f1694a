import { expect, test } from 'vitest';
import type { JsonObject } from '../../../specs/src/index.ts';
import { createTestSandbox, testModel } from '../../tests/test-sandbox.ts';

const object = (properties: JsonObject, required: string[]): JsonObject => ({ type: 'object', properties, required });
const operation = (input: JsonObject, output: JsonObject): JsonObject => ({
  requestBody: { content: { 'application/json': { schema: input } } },
  responses: {
    '200': { description: '', content: { 'application/json': { schema: { type: 'object' }, example: output } } },
  },
});
const text = { type: 'string' };
const catalog = [
  testModel(
    'one/draw',
    operation(object({ prompt: text, style: text, steps: { type: 'integer' } }, ['prompt']), { by: 'one' }),
    {
      'x-service-router-alt-providers': [
        { provider: 'two', model_id: 'two/draw' },
        { provider: 'three', model_id: 'three/draw' },
        { provider: 'four', model_id: 'four/gone' },
      ],
    },
  ),
  testModel(
    'two/draw',
    operation(object({ prompt: text, steps: { type: 'integer', maximum: 10 } }, ['prompt']), { by: 'two' }),
  ),
  testModel('three/draw', operation(object({ words: text }, ['words']), { by: 'three' })),
];
const run = (query: string, json: JsonObject) =>
  createTestSandbox({ catalog }).call('POST', `/v2/models/one/draw?${query}`, { json });
const listDropped = (headers: Headers) => headers.get('x-service-router-dropped-params');

test.each(['', 'model_provider=one', 'strict_mode=true', 'fallback_provider=auto', 'fallback_provider=two', 'other=x'])(
  'with %j the model itself answers',
  async (query) => {
    const reply = await run(query, { prompt: 'x', style: 'y' });
    expect([reply.status, reply.json]).toEqual([200, { by: 'one' }]);
    expect(listDropped(reply.headers)).toBeNull();
    expect(reply.headers.get('x-service-router-fallback-provider')).toBeNull();
  },
);

test('an alternate takes the converted input, and the answer discloses what was dropped', async () => {
  const reply = await run('model_provider=two', { prompt: 'x', style: 'y', steps: 50 });
  expect([reply.status, reply.json]).toEqual([200, { by: 'two' }]);
  const sentences: unknown = JSON.parse(listDropped(reply.headers) ?? 'null');
  expect(sentences).toEqual([expect.stringContaining('style'), expect.stringContaining('steps')]);
  expect(listDropped((await run('model_provider=two', { prompt: 'x' })).headers)).toBeNull();
});

test('under strict_mode the input and the answer are the alternate’s own', async () => {
  const reply = await run('model_provider=three&strict_mode=true', { words: 'x' });
  expect([reply.status, reply.json]).toEqual([200, { by: 'three' }]);
  expect((await run('model_provider=three&strict_mode=true', { prompt: 'x' })).status).toBe(422);
});

test('an alternate that lacks what it needs refuses, with its own status beside', async () => {
  const reply = await run('model_provider=three', { prompt: 'x' });
  expect([reply.status, reply.json['error_type']]).toEqual([400, 'invalid_input']);
  expect(reply.headers.get('x-service-upstream-status')).toBe('422');
});

test.each([
  'model_provider=nobody',
  'model_provider=',
  'model_provider=four',
  'fallback_provider=nobody',
  'strict_mode=maybe',
])('%s is refused', async (query) => {
  const reply = await run(query, { prompt: 'x' });
  expect([reply.status, reply.json['error_type']]).toEqual([400, 'invalid_input']);
  expect(reply.headers.get('x-service-upstream-status')).toBeNull();
});
