import { expect, test } from 'vitest';
import { defaultBrand, type JsonObject } from '../../../specs/src/index.ts';
import { produceOutput, serveModel } from './served-model.ts';

const item: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string', readOnly: true },
    secret: { type: 'string', writeOnly: true },
    name: { type: 'string' },
  },
  required: ['id', 'secret'],
};

function serve(schema: JsonObject) {
  const json = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Item' } } } };
  const post = { requestBody: json, responses: { 200: { description: '', ...json } } };
  const document = {
    openapi: '3.1.0',
    paths: { '/v2/models/p/m': { post } },
    components: { schemas: { Item: schema } },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  return serveModel({ id: 'p/m', billing: 'no', bytes }, defaultBrand);
}

test('inputs may not have readOnly members, and must have required writeOnly members', () => {
  const check = serve({ ...item, additionalProperties: false }).document()?.input?.check;
  const inputs = [{ secret: 's' }, { name: 'n' }, { secret: 's', id: 'x' }];
  expect(inputs.map((input) => check?.(input).length === 0)).toEqual([true, false, false]);
});

test('results contain readOnly members, but no writeOnly members', () => {
  const model = serve({ ...item, additionalProperties: false });
  const document = model.document();
  if (document === undefined) throw new Error('no document');
  const output = produceOutput(model, document, { input: {}, seed: 1 });
  expect(Object.keys(Object('content' in output && output.content))).toEqual(['id', 'name']);
});
