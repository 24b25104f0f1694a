import fc from 'fast-check';
import { type ModelSchemas, modelDocument } from '../../../generator/tests/fake-router.ts';
import { hostileDocument } from '../../../generator/tests/hostile-document.ts';
import type { JsonObject, JsonValue } from '../../../specs/src/index.ts';
import { dangerousPattern, encode, hostileText, notation, oddJson, payload, weighted, word } from './texts.ts';

/** Makes a schema document with these schemas. Without schemas, the model accepts and returns anything. */
export const makeDocument = (id: string, schemas: ModelSchemas): object =>
  modelDocument(id, { input: { type: 'object' }, output: {}, ...schemas });

export const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
export const refTo = (name: string): JsonObject => ({
  $ref: `#/components/schemas/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25')}`,
});
/** Takes `if`, `then` and `else` as arguments, because an object literal with a member `then` looks like a promise. */
export const conditional = (...schemas: JsonValue[]): JsonObject =>
  Object.fromEntries(schemas.map((schema, at) => [['if', 'then', 'else'][at], schema]));

/** A model with a hostile document. `name` describes what is hostile. */
export type HostileModel = {
  readonly name: string;
  /** A hostile id that replaces the ordinary id. */
  readonly id?: string;
  readonly print: (id: string) => string;
};
const model = (name: string, schemas: ModelSchemas): HostileModel => ({
  name,
  print: (id) => JSON.stringify(makeDocument(id, schemas)),
});

const everywhere = (text: string, name = 'text'): HostileModel => ({
  name: `${name} ${JSON.stringify(text.slice(0, 80))}`,
  print: (id) => JSON.stringify(hostileDocument(id, text)),
});

/** Makes a document with names that collide when they become identifiers, files or types. */
function twins(base: string): HostileModel {
  const names = [
    base, base.toUpperCase(), `${base}-`, `-${base}`, `${base}.`, `${base} `, `${base}\u200b`, `${base}é`, `${base}e\u0301`, `1${base}`, '', '$', '_', `${base}/x`, `${base}~x`,
    '__proto__', 'constructor', 'Input', 'Output', 'input', 'model', 'Models', 'default', 'undefined', 'string', 'ModelDescriptor',
  ]; // biome-ignore format: a list of words
  return model('names that collide', {
    input: object(Object.fromEntries(names.map((name) => [name, refTo(name)]))),
    components: Object.fromEntries(names.map((name) => [name, object({ [name]: { type: 'string' } })])),
  });
}

// The schemas of a document with every keyword that the generator reads.
const string: JsonObject = {
  type: 'string', minLength: 1, maxLength: 9, pattern: '^[a-z]+$', format: 'uri', enum: ['a', 'b'], default: 'a', contentEncoding: 'base64', contentMediaType: 'image/png',
  title: 'T', description: 'D', example: 'y', examples: ['z'], deprecated: true, readOnly: true, nullable: true,
}; // biome-ignore format: a list of words
const integer: JsonObject = {
  type: 'integer', minimum: 0, maximum: 9, exclusiveMinimum: 1, exclusiveMaximum: 8, multipleOf: 2, const: 4,
}; // biome-ignore format: a list of words
const list: JsonObject = {
  type: 'array', items: string, prefixItems: [integer], minItems: 1, maxItems: 3, uniqueItems: true, contains: { const: 'x' }, minContains: 1, maxContains: 2,
}; // biome-ignore format: a list of words
const map: JsonObject = {
  type: 'object', additionalProperties: { type: ['string', 'null'] }, propertyNames: { maxLength: 3 }, patternProperties: { '^x-': integer }, minProperties: 1, maxProperties: 9,
  dependentRequired: { a: ['b'] }, dependentSchemas: { a: { required: ['c'] } },
}; // biome-ignore format: a list of words
const rest: JsonObject = {
  ...{ allOf: [object({ z: integer })], anyOf: [map], unevaluatedProperties: false, not: { required: ['q'] } },
  ...conditional({ required: ['a'] }, { required: ['b'] }, { required: ['c'] }),
};
const choice: JsonObject = {
  oneOf: [refTo('A'), refTo('B')],
  discriminator: { propertyName: 'kind', mapping: { a: '#/components/schemas/A' } },
};
const kind = (value: string): JsonObject => object({ kind: { enum: [value] } }, { required: ['kind'] });
const complete: ModelSchemas = {
  input: object({ string, integer, list, map, rest, choice }, { required: ['string'], additionalProperties: false }),
  output: choice,
  components: { A: kind('a'), B: kind('b') },
  operation: {
    parameters: [
      { name: 'a', in: 'query', required: true, style: 'form', explode: false, schema: integer },
      { name: 'b', in: 'header', content: { 'text/plain': { schema: string } } },
    ],
  },
};

/** Replaces one value of the complete document with an odd or malformed text. `percent` selects the value by its position. */
function mutant(percent: number, odd: string): HostileModel {
  const print = (id: string): string => {
    const document = makeDocument(id, complete);
    let count = 0;
    JSON.stringify(document, (_, value) => (count++, value));
    const place = 1 + Math.floor((percent * (count - 2)) / 100);
    let seen = 0;
    return JSON.stringify(document, (_, value) => (seen++ === place ? '\0' : value)).replace('"\\u0000"', () => odd);
  };
  return { name: `the value at ${percent} % is ${odd.slice(0, 40)}`, print };
}

export const patterned = ({ pattern }: { readonly pattern: string }): HostileModel =>
  model(`pattern ${pattern}`, {
    input: object({ a: { type: 'string', pattern }, b: { patternProperties: { [pattern]: true } } }),
  });
const named = (id: string): HostileModel => ({ ...model(`id ${JSON.stringify(id.slice(0, 80))}`, {}), id });

/** Generates models with hostile documents, some of which repeat the secret. */
export const hostileModels = (secret: string): fc.Arbitrary<HostileModel> =>
  weighted(
    [5, hostileText.map((text) => everywhere(text))],
    [4, fc.tuple(fc.nat(99), fc.constantFrom(...oddJson, '"a', '\0', '\ud800')).map((parts) => mutant(...parts))],
    [2, notation.map((form) => everywhere(encode(secret, form), 'the credential as'))],
    [1, word.map(twins)],
    [1, dangerousPattern.map(patterned)],
    [1, fc.tuple(fc.oneof(word, hostileText), hostileText).map((segments) => named(segments.join('/')))],
  );

/** Catalogs that once caused a defect, or that break naive readers. */
export const namedCatalogs: readonly (readonly HostileModel[])[] = [
  [
    everywhere(`*/${payload};/*`),
    everywhere(`\`\${${payload}}\``),
    everywhere('__proto__'),
    everywhere('then'),
    twins('name'),
  ],
  [named('../../outside/x'), named(`${payload}/..`), named(`p/${'x'.repeat(9_000)}`), named('con/nul')],
  [
    everywhere('\u202e\x1b[2J\n::error::owned\n##[error]owned'),
    everywhere('</script><!--'),
    everywhere('{{{this}}}$&$1'),
  ],
  [
    mutant(30, '{"$ref":"file:///etc/passwd"}'),
    mutant(50, '{"$ref":"http://127.0.0.1:9/x"}'),
    mutant(90, '{"toString":1,"valueOf":1}'),
  ],
];
