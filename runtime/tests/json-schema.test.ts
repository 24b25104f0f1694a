import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { standardSchema } from '../src/validation/standard-schema.ts';
import { createValidator } from '../src/validation/validator.ts';

const member = (schema: object) => ({ type: 'object' as const, properties: { it: schema } });
const $defs = { Size: { type: 'object', properties: { width: { type: 'integer' } }, required: ['width'] } };

const schemas = [
  {
    of: 'a reference with a description',
    schema: { ...member({ $ref: '#/$defs/Size', description: 'how large' }), $defs },
  },
  {
    of: 'a reference next to other keywords',
    schema: { ...member({ $ref: '#/$defs/Size', allOf: [{ maxProperties: 1 }] }), $defs },
  },
  {
    of: 'a tuple',
    schema: member({ prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }),
  },
  {
    of: 'a tuple with further items',
    schema: member({ prefixItems: [{ type: 'string' }], items: { type: 'integer' } }),
  },
  { of: 'dependentRequired', schema: member({ dependentRequired: { a: ['b'] } }) },
  { of: 'dependentSchemas', schema: member({ dependentSchemas: { a: { required: ['c'] } } }) },
  {
    of: 'nested conditions',
    schema: member({ if: { required: ['a'] }, else: { not: { required: ['c'] } } }),
  },
  { of: 'minContains: 0', schema: member({ contains: { type: 'string' }, minContains: 0 }) },
  { of: 'a member named like a keyword', schema: member({ properties: { items: { $ref: '#/$defs/Size' } } }), $defs },
].map(({ of, schema, ...more }) => ({ of, schema: { ...schema, ...more } }));
const values: unknown[] = [
  ...[{}, { width: 1 }, { width: 'a' }, { width: 1, height: 2 }, { a: 1 }, { a: 1, b: 2 }, { a: 1, c: 3 }, { c: 3 }],
  ...[[], ['a'], ['a', 1], ['a', 1, 1], ['a', 'b'], [1]],
  ...[{ items: 1 }, { items: {} }, { items: { width: 1 } }],
];

test.each(schemas)('a schema with $of accepts the same values after its conversion to draft 7', ({ schema }) => {
  const { jsonSchema } = standardSchema(createValidator(schema), schema)['~standard'];
  const options = { strict: false };
  const before = new Ajv2020(options).compile(jsonSchema?.input({ target: 'draft-2020-12' }) ?? false);
  const after = new Ajv(options).compile(jsonSchema?.input({ target: 'draft-07' }) ?? false);
  const verdicts = (accepts: (value: unknown) => boolean) => values.map((it) => accepts({ it }));
  expect(verdicts((value) => after(value))).toEqual(verdicts((value) => before(value)));
});

test('rejects unknown targets, and returns a copy of the schema that may be modified', () => {
  const [{ schema } = { schema: member({}) }] = schemas;
  const { jsonSchema } = standardSchema(createValidator(schema), schema)['~standard'];
  expect(() => jsonSchema?.input({ target: 'openapi-3.0' })).toThrow('not openapi-3.0');
  Object.assign(jsonSchema?.output({ target: 'draft-2020-12' }) ?? {}, { type: 'string' });
  expect(jsonSchema?.output({ target: 'draft-2020-12' })).toEqual(schema);
});
