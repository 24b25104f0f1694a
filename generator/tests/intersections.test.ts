import { expect, test } from 'vitest';
import type { TsType } from '../src/typing/ts-type.ts';
import { modelDocument } from './fake-router.ts';
import { readModel } from './read-model.ts';

function countAlternatives(type: TsType): number {
  if (type.kind === 'union') return type.members.reduce((sum, member) => sum + countAlternatives(member), 0);
  if (type.kind !== 'intersection') return 1;
  return type.members.reduce((product, member) => product * countAlternatives(member), 1);
}

test('limits the alternatives of an intersection of eight unions to what TypeScript can compile', () => {
  const oneOf = (at: number): object => ({
    oneOf: Array.from({ length: 30 }, (_, index) => ({
      type: 'object',
      required: [`p${at}-${index}`],
      properties: { [`p${at}-${index}`]: { type: 'string' } },
    })),
  });
  const input = { type: 'object', allOf: Array.from({ length: 8 }, (_, at) => oneOf(at)) };
  const { binding } = readModel(modelDocument('p/m', { input }));
  const alternatives = countAlternatives(binding.input.type);
  expect(alternatives).toBeGreaterThan(1);
  expect(alternatives).toBeLessThanOrEqual(10_000);
});

/** True if every alternative of a type has the member. */
function hasMember(type: TsType, name: string): boolean {
  if (type.kind === 'union') return type.members.every((member) => hasMember(member, name));
  if (type.kind === 'intersection') return type.members.some((member) => hasMember(member, name));
  return type.kind === 'object' && type.fields.has(name);
}

test.each([
  ['anyOf', 10],
  ['anyOf', 14],
  ['oneOf', 12],
])(
  'keeps the listed members of an object with a choice (%s) between two required members, repeated %i times',
  (keyword, times) => {
    const pair = (_: unknown, at: number): object => ({
      [keyword]: [{ required: [`url_${at}`] }, { required: [`file_${at}`] }],
    });
    const input = {
      type: 'object',
      properties: { prompt: { type: 'string' } },
      allOf: Array.from({ length: times }, pair),
    };
    const { type } = readModel(modelDocument('p/m', { input })).binding.input;
    expect(hasMember(type, 'prompt')).toBe(true);
    expect(countAlternatives(type)).toBeLessThanOrEqual(10_000);
  },
);

test('limits the type of three combined unions of 30 objects to 30 alternatives', () => {
  const branch = (name: string): object => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } },
  });
  const oneOf = (_: unknown, at: number): object => ({
    oneOf: Array.from({ length: 30 }, (__, index) => branch(`p${at}-${index}`)),
  });
  const input = { type: 'object', allOf: Array.from({ length: 3 }, oneOf) };
  expect(countAlternatives(readModel(modelDocument('p/m', { input })).binding.input.type)).toBe(30);
});

test('omits alternatives that are covered by other alternatives', () => {
  const names = Array.from({ length: 12 }, (_, at) => `Kind${at}`);
  const schemas = Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: 'object',
        required: [`of_${name}`],
        properties: { kind: { const: name, default: name }, [`of_${name}`]: { type: 'number' } },
      },
    ]),
  );
  const oneOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const input = { type: 'object', required: ['part'], properties: { part: { oneOf } } };
  const { type } = readModel(modelDocument('p/m', { input, components: schemas })).binding.input;
  const part = type.kind === 'object' ? type.fields.get('part')?.type : undefined;
  // Two alternatives for each branch: with and without its tag.
  expect(part?.kind === 'union' && part.members).toHaveLength(2 * names.length);
});

test('keeps all 500 branches or enum values of a union', () => {
  const values = Array.from({ length: 500 }, (_, at) => `v${at}`);
  const tagged = values.map((kind) => ({ type: 'object', required: ['kind'], properties: { kind: { const: kind } } }));
  const properties = {
    listed: { oneOf: [{ enum: values }, { type: 'integer' }] },
    stringly: { type: ['string', 'integer'], oneOf: [{ enum: values }, { type: 'integer' }] },
    tagged: { oneOf: tagged },
    referred: { type: ['string', 'integer'], oneOf: [{ $ref: '#/components/schemas/Listed' }, { type: 'integer' }] },
  };
  const components = { Listed: { enum: [...values, null] } };
  const document = modelDocument('p/m', { input: { type: 'object', properties }, components });
  const { type } = readModel(document).binding.input;
  const counts = Object.keys(properties).map((name) =>
    countAlternatives((type.kind === 'object' && type.fields.get(name)?.type) || { kind: 'never' }),
  );
  expect(counts).toEqual([501, 501, 500, 501]);
});
