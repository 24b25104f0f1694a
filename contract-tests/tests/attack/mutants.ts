import type { JsonObject } from '../../../specs/src/index.ts';
import type { Random } from './attack-class.ts';
import { type Make, makeDocument, object } from './schema-documents.ts';
import { componentRef } from './schemas.ts';

/** JSON that no reader expects where it stands. */
export const oddValues: readonly string[] = [
  'null', '7', '[]', '{}', '"x"', 'true', '1e999', '-0', '-1', '0.1', '"\\ud800"', '[[[]]]', '[null]', `${'['.repeat(250)}${']'.repeat(250)}`,
  '{"$ref":"#"}', '{"$ref":"file:///etc/passwd"}', '{"$ref":"http://127.0.0.1:9/x"}', '{"$ref":"#/components/schemas/__proto__"}', '{"$ref":{}}',
  '{"toString":1,"valueOf":1}', '[{"toString":1,"valueOf":1}]', '{"toJSON":1,"then":1,"length":4294967296}', '{"__proto__":{"length":1}}',
]; // biome-ignore format: a list of words

const text: JsonObject = {
  ...{ type: 'string', minLength: 1, maxLength: 9, pattern: '^[a-z]+$', format: 'uri', enum: ['a', 'b'], default: 'a' },
  ...{ contentEncoding: 'base64', contentMediaType: 'image/png', title: 'T', description: 'D', example: 'y' },
  ...{ examples: ['z'], deprecated: true, readOnly: true, nullable: true },
};
const whole: JsonObject = {
  ...{ type: 'integer', minimum: 0, maximum: 9, exclusiveMinimum: 1, exclusiveMaximum: 8, multipleOf: 2, const: 4 },
};
const list: JsonObject = {
  ...{ type: 'array', items: text, prefixItems: [whole], minItems: 1, maxItems: 3, uniqueItems: true },
  ...{ contains: { const: 'x' }, minContains: 1, maxContains: 2 },
};
const map: JsonObject = {
  ...{ type: 'object', additionalProperties: { type: ['string', 'null'] }, propertyNames: { maxLength: 3 } },
  ...{ patternProperties: { '^x-': whole }, minProperties: 1, maxProperties: 9 },
  ...{ dependentRequired: { a: ['b'] }, dependentSchemas: { a: { required: ['c'] } } },
};
const rest: JsonObject = {
  ...{ allOf: [object({ z: whole })], anyOf: [map], unevaluatedProperties: false, not: { required: ['q'] } },
  ...Object.fromEntries(['if', 'then', 'else'].map((word) => [word, { required: [word] }])),
};
const choice: JsonObject = {
  oneOf: [componentRef('A'), componentRef('B')],
  discriminator: { propertyName: 'kind', mapping: { a: '#/components/schemas/A' } },
};
const kind = (word: string): JsonObject => ({ ...object({ kind: { enum: [word] } }), required: ['kind'] });
const operation: JsonObject = {
  parameters: [
    { name: 'a', in: 'query', required: true, style: 'form', explode: false, schema: whole },
    { name: 'b', in: 'header', content: { 'text/plain': { schema: text } } },
  ],
  security: [{ key: ['one'] }],
  deprecated: true,
};

/** Every word that is read of a document, with one of its values replaced. */
export const mutantText: Make = (id, random: Random) => {
  const input = {
    ...object({ text, whole, list, map, rest, choice }),
    required: ['text'],
    additionalProperties: false,
  };
  const document = makeDocument(id, { input, output: choice, components: { A: kind('a'), B: kind('b') }, operation });
  const replaceAt = (place: number): [text: string, places: number] => {
    let seen = 0;
    return [JSON.stringify(document, (_, value) => (seen++ === place ? '\0' : value)), seen];
  };
  const [, places] = replaceAt(-1);
  const [mutant] = replaceAt(1 + random.below(places - 1));
  return mutant.replace('"\\u0000"', () => random.one(oddValues));
};
