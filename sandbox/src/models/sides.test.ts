import { expect, test } from 'vitest';
import { createTestSandbox, testModel } from '../../tests/test-sandbox.ts';

const text = { type: 'string' };
const item = {
  type: 'object',
  properties: { id: { ...text, readOnly: true }, secret: { ...text, writeOnly: true }, name: text },
  required: ['id', 'secret'],
  additionalProperties: false,
};
const json = { content: { 'application/json': { schema: item } } };
const catalog = [testModel('p/m', { requestBody: json, responses: { 200: { description: '', ...json } } })];

test('an input must not contain readOnly members; a result contains them, but no writeOnly members', async () => {
  const sandbox = createTestSandbox({ catalog });
  const run = (input: object) => sandbox.call('POST', '/v2/models/p/m', { json: input });
  const replies = [await run({ secret: 's' }), await run({ name: 'n' }), await run({ secret: 's', id: 'x' })];
  expect(replies.map(({ status }) => status)).toEqual([200, 422, 422]);
  expect(Object.keys(replies[0]?.json ?? {})).toEqual(['id', 'name']);
});
