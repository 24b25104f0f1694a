// biome-ignore-all lint/suspicious/noThenProperty: it is the keyword
import { describe, expect, test } from 'vitest';
import { createValidator } from '../../../runtime/src/validation/validator.ts';
import {
  createSampler,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  linearPattern,
} from '../../../specs/src/index.ts';
import { modelDocument } from '../../tests/fake-router.ts';
import { createDice } from '../../tests/random-documents/dice.ts';
import { randomDocument } from '../../tests/random-documents/documents.ts';
import { normaliseModel, readModel } from '../../tests/read-model.ts';
import { printAnnotatedInputSchema, printValidatedInput } from './shipped-schemas.ts';

const refused = ['$ref', 'enum', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

const text = { type: 'string' };
const number = { type: 'number' };
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const components = {
  Crop: { type: 'object', properties: { kind: { const: 'crop' }, url: text, x: number }, required: ['kind', 'url'] },
  Fit: { type: 'object', properties: { kind: { const: 'fit' }, url: text, to: text }, required: ['kind', 'url', 'to'] },
  Either: { oneOf: [to('Crop'), to('Fit')], description: 'One of two.' },
  Loop: { anyOf: [to('Loop'), to('Crop')] },
};

function describeInput(input: JsonValue, schemas: JsonObject = components) {
  const { binding } = readModel(modelDocument('p/m', { input, components: schemas }));
  return { binding, described: printAnnotatedInputSchema(binding) };
}

const kind = { enum: ['crop', 'fit'] };
test.each<[string, JsonValue, JsonObject]>([
  [
    'alternatives that differ by a literal',
    { oneOf: [to('Crop'), to('Fit')] },
    { properties: { kind, url: text, x: number, to: text }, required: ['kind', 'url'] },
  ],
  [
    'a reference to alternatives',
    to('Either'),
    { properties: { kind, url: text, x: number, to: text }, required: ['kind', 'url'], description: 'One of two.' },
  ],
  [
    'the parts of an allOf',
    { allOf: [to('Crop'), { properties: { seed: number }, required: ['seed'] }] },
    { properties: { kind: { enum: ['crop'] }, url: text, x: number, seed: number }, required: ['kind', 'url', 'seed'] },
  ],
  [
    'alternatives that only require members',
    { type: 'object', properties: { a: text, b: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    { properties: { a: text, b: text } },
  ],
  [
    'alternatives that are closed',
    {
      anyOf: [
        { type: 'object', properties: { a: text }, additionalProperties: false },
        { type: 'object', properties: { a: number, b: text }, additionalProperties: false },
        { type: 'null' },
      ],
    },
    { properties: { a: { anyOf: [text, number] }, b: text }, additionalProperties: false },
  ],
  [
    'a schema with conditions',
    {
      type: 'object',
      properties: { a: text },
      required: ['a'],
      if: { required: ['c'] },
      then: { properties: { c: text }, required: ['d'] },
      else: { properties: { e: text } },
      not: { required: ['f'] },
      dependentSchemas: { a: { properties: { g: number } } },
    },
    { properties: { a: text, c: text, e: text, g: number }, required: ['a'] },
  ],
  [
    'a schema that is its own alternative',
    to('Loop'),
    { properties: { kind: { enum: ['crop'] }, url: text, x: number } },
  ],
  ['a schema that accepts no object', { oneOf: [text, number] }, { additionalProperties: false }],
  ['listed objects', { enum: [{ a: 1 }] }, {}],
])('describes one object instead of %s', (_, input, expected) => {
  const { described } = describeInput(input);
  const { $defs: _definitions, ...root } = described;
  expect(root).toEqual({
    type: 'object',
    ...(root['properties'] === undefined ? {} : { properties: {} }),
    ...expected,
  });
});

const seed = 20_261_129;
const dice = createDice(seed);
// `normaliseModel` rejects schemas whose parts include each other endlessly.
const isReadable = ([, input, schemas]: Root): boolean =>
  normaliseModel(modelDocument('p/m', { input, components: schemas })).binding !== undefined;
type Root = [name: string, input: JsonObject, schemas: JsonObject];
const roots = ['anyOf', 'oneOf', 'allOf'].flatMap((word) =>
  Array.from({ length: 15 }, (_, index): Root => {
    const { components } = randomDocument('p/m', dice);
    const schemas = isJsonObject(components) && isJsonObject(components['schemas']) ? components['schemas'] : {};
    const parts = Object.keys(schemas).map(to);
    return [`${word} ${index}`, { [word]: [...parts.slice(1), { [dice.pick(['anyOf', 'oneOf'])]: parts }] }, schemas];
  }).filter(isReadable),
);

describe(`a random schema (seed ${seed})`, () => {
  test.each(roots)(
    'describes the input of %s without keywords that tool APIs reject, and not stricter than the model',
    (_, input, schemas) => {
      const { binding, described } = describeInput(input, schemas);
      expect(Object.keys(described).filter((keyword) => refused.includes(keyword))).toEqual([]);
      expect(described['type']).toBe('object');
      const printed = printValidatedInput(binding);
      const isInput = createValidator(isJsonObject(printed) && printed, linearPattern);
      const { properties = {}, required = [], additionalProperties } = described;
      const source = { ...binding.schemas, schema: binding.schemas.input };
      for (const prefer of ['full', 'call', 'small'] as const) {
        const sample = createSampler(source);
        const samples = [0, 0.3, 0.6, 0.9].map((number) =>
          sample({ random: () => number, prefer, isValid: isInput.accepts }),
        );
        for (const names of samples.flatMap((value) =>
          isJsonObject(value ?? null) ? [Object.keys(Object(value))] : [],
        )) {
          expect(names).toEqual(expect.arrayContaining(Object(required)));
          if (additionalProperties === false)
            expect(Object.keys(Object(properties))).toEqual(expect.arrayContaining(names));
        }
      }
    },
  );
});
