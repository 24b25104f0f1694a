import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../specs/src/index.ts';
import { printType } from '../src/emit/print-type.ts';
import { modelDocument } from './fake-router.ts';
import { flat, readModel, showType } from './read-model.ts';

/** Returns the printed type of a property `x` of the input, with its comments. */
function print(schema: JsonValue, components: JsonObject = {}): string {
  const input = { type: 'object', properties: { x: schema }, required: ['x'] };
  return printType(readModel(modelDocument('p/m', { input, components })).binding.input.type).text;
}

describe('descriptions of a member that two parts of an allOf describe', () => {
  const base = { type: 'string', enum: ['queued', 'completed', 'failed'], description: 'One of three.' };
  const Base = { type: 'object', properties: { status: base, id: { type: 'string', description: 'Of the job.' } } };
  const extended = (properties: JsonObject): JsonObject => ({
    allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', properties }],
  });

  test.each<[JsonObject]>([
    [{ const: 'completed', description: 'Always completed.' }],
    [{ enum: ['completed', 'failed'], description: 'Always completed.' }],
    [{ type: 'string', maxLength: 20, enum: ['failed'], description: 'Always completed.' }],
  ])(
    'the description of a member in the allOf part that narrows it replaces the description of the other part: %j',
    (status) => {
      const text = print(extended({ status }), { Base });
      expect(text).toContain('Always completed.');
      expect(text).not.toContain('One of three.');
    },
  );

  test('the description of a member in the narrowing allOf part wins even if that part comes first', () => {
    const narrow = { type: 'object', properties: { status: { const: 'failed', description: 'Always failed.' } } };
    const text = print({ allOf: [narrow, { $ref: '#/components/schemas/Base' }] }, { Base });
    expect(text).toContain('Always failed.');
    expect(text).not.toContain('One of three.');
  });

  test('a member keeps both descriptions if neither allOf part narrows it', () => {
    const text = print(extended({ id: { type: 'string', description: 'A UUID.' } }), { Base });
    expect(text).toMatch(/Of the job\.\n\s*\*\n\s*\* A UUID\./);
  });

  test('a member keeps the description of the other allOf part if the narrowing part has none', () => {
    expect(print(extended({ status: { const: 'failed' } }), { Base })).toContain('One of three.');
  });
});

describe('alternatives of a value', () => {
  test('the comment of a union has the bounds and descriptions of its alternatives', () => {
    const anyOf = [
      { enum: [-1], description: 'Automatic.' },
      { minimum: 2, maximum: 30 },
    ];
    const text = print({ type: 'integer', description: 'Frames.', anyOf });
    for (const line of ['Frames.', '- -1: Automatic.', '- minimum: 2, maximum: 30'])
      expect(text).toContain(`* ${line}\n`);
  });

  test.each<[JsonObject, string]>([
    [
      { oneOf: [{ type: 'string', format: 'uri', description: 'An address.' }, { type: 'integer' }] },
      '- string, format: "uri": An address.',
    ],
    [
      {
        anyOf: [
          { type: 'object', title: 'Square', properties: { side: {} }, description: 'Four sides.' },
          { type: 'string' },
        ],
      },
      '- Square: Four sides.',
    ],
    [{ anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] }, '(maxLength: 5)'],
  ])('the comment of the union %j has the line %s', (schema, line) => expect(print(schema)).toContain(line));

  test('an alternative of a union without bounds and descriptions adds no comment', () => {
    expect(print({ anyOf: [{ type: 'string' }, { type: 'integer' }] })).not.toContain('* -');
  });
});

describe('alternatives that differ in what they require', () => {
  const described = (name: string): JsonObject => ({ type: 'string', description: `Text ${name}.` });
  const properties = { a: described('a'), b: described('b'), c: described('c') };

  test.each<[JsonObject, string]>([
    [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, '{ a: string } | { b: string }'],
    [{ oneOf: [{ required: ['a'] }, { required: ['b'] }] }, '{ a: string; b?: never } | { a?: never; b: string }'],
  ])('alternatives that only differ in required members print their members once: %j', (union, alternatives) => {
    const text = print({ type: 'object', properties, ...union });
    for (const name of ['a', 'b', 'c']) expect(text.split(`Text ${name}.`)).toHaveLength(2);
    expect(flat(text)).toContain(`& (${alternatives})`);
  });

  test('a member that every alternative requires is required in the shared object', () => {
    const anyOf = [{ required: ['a', 'c'] }, { required: ['b', 'c'] }];
    expect(showType({ type: 'object', properties, anyOf })).toBe(
      '{ a?: string; b?: string; c: string } & ({ a: string } | { b: string })',
    );
  });

  test.each<[JsonObject]>([
    [{ properties, anyOf: [{ required: ['a'] }, {}] }],
    [{ properties: { a: {}, b: {} }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
    [{ properties, additionalProperties: { type: 'string' }, anyOf: [{ required: ['a'] }, { required: ['b'] }] }],
  ])('unions are not split into a shared object and alternatives if this is impossible or not shorter: %j', (schema) =>
    expect(showType({ type: 'object', ...schema })).not.toContain('&'),
  );
});

describe('alternatives of required members that list their properties', () => {
  const uri = { type: 'string', format: 'uri' };
  const bySeconds = { required: ['uri', 'seconds'], properties: { uri, seconds: { type: 'number', minimum: 0 } } };
  const byTime = { required: ['uri', 'at'], properties: { uri, at: { type: 'string', minLength: 1 } } };
  const exclusive = '{ uri: string; seconds: number; at?: never } | { uri: string; at: string; seconds?: never }';

  test('alternatives of a oneOf that list the members they require exclude each other', () => {
    expect(showType({ type: 'object', oneOf: [bySeconds, byTime] })).toBe(exclusive);
  });

  test('alternatives of a oneOf exclude each other if the surrounding object lists the members too', () => {
    const properties = { ...bySeconds.properties, ...byTime.properties };
    expect(showType({ type: 'object', properties, oneOf: [bySeconds, byTime] })).toBe(
      '{ uri: string; seconds?: number; at?: string } & ({ seconds: number; at?: never } | { seconds?: never; at: string })',
    );
  });

  test("alternatives don't exclude a member that may also be null in the surrounding object", () => {
    const properties = { at: { type: ['string', 'null'] } };
    expect(showType({ type: 'object', properties, oneOf: [bySeconds, byTime] })).toContain(
      'at?: string | null; uri: string; seconds: number',
    );
  });

  test('alternatives of a oneOf that are named definitions exclude each other', () => {
    const components = { BySeconds: { type: 'object', ...bySeconds }, ByTime: { type: 'object', ...byTime } };
    const oneOf = Object.keys(components).map((name) => ({ $ref: `#/components/schemas/${name}` }));
    expect(showType({ oneOf }, components)).toBe('(BySeconds & { at?: never }) | (ByTime & { seconds?: never })');
  });

  test('alternatives with a tag that the surrounding object requires may have members of the others', () => {
    const properties = { type: { enum: ['a', 'b'] }, a: { type: 'string' }, b: { type: 'string' } };
    const oneOf = ['a', 'b'].map((tag) => ({ required: [tag], properties: { type: { enum: [tag] } } }));
    expect(showType({ type: 'object', required: ['type'], properties, oneOf })).toBe(
      '{ type: "a"; a: string; b?: string } | { type: "b"; a?: string; b: string }',
    );
  });

  test.each<[string, JsonObject]>([
    ['anyOf', { anyOf: [bySeconds, byTime] }],
    [
      'an alternative that the other alternative extends',
      { oneOf: [{ required: ['uri'], properties: { uri } }, byTime] },
    ],
  ])('does not make alternatives exclude each other: %s', (_, schema) =>
    expect(showType({ type: 'object', ...schema })).not.toContain('seconds?: never'),
  );
});

test('comments contain only examples of up to 2,000 characters', () => {
  const [short, long] = ['k'.repeat(1_990), 'l'.repeat(2_000)];
  const text = print({ type: 'string', examples: [short, long] });
  expect(text).toContain(`@example "${short}"`);
  expect(text).not.toContain('lll');
});

test('comments show the minimum before the maximum, regardless of their order in the document', () => {
  expect(print({ type: 'integer', maximum: 30, minimum: 2 })).toContain('(integer, minimum: 2, maximum: 30)');
  expect(print({ type: 'string', maxLength: 9, minLength: 1 })).toContain('(minLength: 1, maxLength: 9)');
});
