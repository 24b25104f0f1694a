// biome-ignore-all lint/suspicious/noThenProperty: it is the keyword
import { describe, expect, test } from 'vitest';
import type { JsonSchema, PatternReader, SchemaObject } from './check.ts';
import { createValidator } from './validator.ts';

const self = { $ref: '#/$defs/self' };
const recursive = (definition: JsonSchema): JsonSchema => ({ ...self, $defs: { self: definition } });
const tree: SchemaObject = { properties: { next: self, leaf: { type: 'string' } } };

type Wrap = (inner: unknown) => unknown;
const inNext: Wrap = (inner) => ({ next: inner });
const inArray: Wrap = (inner) => [inner];

function nest(depth: number, innermost: unknown, wrap: Wrap): unknown {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

function reasons(schema: JsonSchema, value: unknown): string[] {
  const result = createValidator(schema).validate(value);
  return result.valid ? [] : result.detail.map(({ type }) => type);
}

describe('a value that takes many steps', () => {
  const limited = { maxSteps: 10_000 };
  const readPattern: PatternReader = (pattern) => (text, spend) => {
    spend?.(text.length);
    return new RegExp(pattern).test(text);
  };

  test('leaves a value to the server if its pattern takes too many steps, but checks its other parts', () => {
    const schema = { properties: { text: { pattern: '^(?:[a-z]+)+$' }, count: { type: 'integer' } } } as const;
    const { accepts, validate } = createValidator(schema, readPattern);
    const long = `${'a'.repeat(1_000_000)}!`;
    expect(accepts({ text: long, count: 1 }, limited)).toBe(true);
    expect(accepts({ text: 'a!', count: 1 }, limited)).toBe(false);
    expect(validate({ text: long, count: 'x' }, limited)).toMatchObject({ detail: [{ loc: ['count'] }] });
    // By default, there are two million steps of either kind. Here, an item takes two steps, and a character takes one.
    const items = createValidator({ items: { type: 'string' } });
    expect([999_990, 1_000_000].map((count) => items.accepts([...Array(count).fill('x'), 1]))).toEqual([false, true]);
    const other = createValidator({ pattern: 'b' }, readPattern);
    expect([2_000_000, 2_000_001].map((length) => other.accepts('a'.repeat(length)))).toEqual([false, true]);
  });

  test('stops checking a value that takes too many steps, even inside `not`', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({ enum: [-at] }));
    const numbers = Array.from({ length: 100_000 }, () => 1);
    expect(createValidator({ items: { anyOf: [...many, { enum: [1] }] } }).accepts(numbers, limited)).toBe(true);
    expect(createValidator({ not: { items: { anyOf: [...many, { enum: [1] }] } } }).accepts(numbers, limited)).toBe(
      true,
    );
    const { validate } = createValidator({ items: { anyOf: many } });
    expect(validate([1], { maxSteps: 3_000 })).toMatchObject({ valid: false, detail: [{ type: 'too_many_steps' }] });
    expect(validate([1])).toMatchObject({ valid: false, detail: [{ type: 'union_mismatch' }] });
  });
});

test.each<[string, SchemaObject]>([
  ['a type', { items: { type: 'integer' } }],
  ['bounds', { items: { minimum: 1, maximum: 5, multipleOf: 3 } }],
  ['an enum', { items: { enum: [1, 2] } }],
  ['uniqueItems', { uniqueItems: true }],
])('validation of integers with a thousand digits ends if the schema has %s', (_, schema) => {
  const values = Array.from({ length: 2_000 }, (_unused, index) => 10n ** 1_000n + BigInt(index));
  expect(() => createValidator(schema).validate(values)).not.toThrow();
});

describe('a value that is nested deeply', () => {
  test.each([10, 399, 400, 490])('checks a deeply nested value down to its leaf: %i levels', (depth) => {
    const { accepts } = createValidator(recursive(tree));
    expect(accepts(nest(depth, { leaf: 'x' }, inNext))).toBe(true);
    expect(accepts(nest(depth, { leaf: 1 }, inNext))).toBe(false);
    expect(reasons(recursive(tree), nest(depth, { leaf: 1 }, inNext))).toEqual(['string_type']);
  });

  test.each<[string, JsonSchema, Wrap]>([
    ['a definition', tree, inNext],
    ['not', { not: { not: tree } }, inNext],
    ['a member that must not fit', { not: { required: ['next'], properties: { next: { not: self } } } }, inNext],
    ['oneOf', { oneOf: [tree, { type: 'array' }] }, inNext],
    ['anyOf', { anyOf: [tree, { type: 'null' }] }, inNext],
    ['if', { if: tree, then: true, else: true }, inNext],
    ['dependentSchemas', { dependentSchemas: { next: tree } }, inNext],
    ['unevaluatedProperties', { unevaluatedProperties: self }, inNext],
    ['contains', { contains: self, minContains: 0 }, inArray],
    ['prefixItems', { prefixItems: [self] }, inArray],
    ['unevaluatedItems', { unevaluatedItems: self }, inArray],
  ])('the whole value is invalid if the nesting limit is reached inside %s', (_, definition, wrap) => {
    for (const depth of [501, 100_000]) {
      expect(reasons(recursive(definition), nest(depth, 1, wrap))).toEqual(['nested_too_deeply']);
    }
  });

  test.each<[string, JsonSchema]>([
    ['an enum', { enum: [[1], { a: [] }] }],
    ['an enum inside not', { not: { enum: [[1], {}] } }],
    ['uniqueItems', { items: { uniqueItems: true } }],
  ])('a deeply nested value is invalid if %s compares more levels than JSON.stringify supports', (_, schema) => {
    const deep = nest(100_000, [], (inner) => (Array.isArray(inner) ? { a: inner } : [inner]));
    expect(reasons(schema, [[deep, deep]])).toEqual(['nested_too_deeply']);
  });

  test('a value that contains itself is invalid', () => {
    const value: { next?: unknown } = {};
    value.next = value;
    expect(reasons({ uniqueItems: true }, [value])).toEqual(['nested_too_deeply']);
    expect(reasons(recursive(tree), value)).toEqual(['nested_too_deeply']);
  });

  test('a deeply nested value is invalid if the caller has used up the stack', () => {
    const { accepts } = createValidator(recursive({ anyOf: [tree, { type: 'null' }] }));
    const value = nest(400, {}, inNext);
    const atTheEnd = (): boolean => {
      try {
        return atTheEnd();
      } catch {
        return accepts(value);
      }
    };
    expect(atTheEnd()).toBe(false);
    expect(accepts(value)).toBe(true);
  });
});

describe('a schema that refers to itself for the same value', () => {
  test.each<[string, JsonSchema]>([
    ['alone', self],
    ['oneOf', { oneOf: [self, { type: 'string' }] }],
    ['anyOf', { anyOf: [self, { type: 'string' }] }],
    ['allOf', { allOf: [self, true] }],
    ['not', { not: self }],
    ['two times not', { not: { not: self } }],
    ['if', { if: self, then: true, else: true }],
    ['dependentSchemas', { dependentSchemas: { a: self } }],
  ])('a schema that refers to itself endlessly rejects every value: %s', (_, definition) => {
    expect(reasons(recursive(definition), { a: 1 })).toEqual(['nested_too_deeply']);
    expect(createValidator({ not: self, $defs: { self: definition } }).accepts({ a: 1 })).toBe(false);
  });

  test('a schema may refer to itself for members and items of a value', () => {
    expect(createValidator(recursive({ type: 'array', items: self })).accepts([[[]]])).toBe(true);
    expect(createValidator(recursive({ type: 'array', items: self })).accepts([[['x']]])).toBe(false);
  });
});

describe('work is done once for each definition and value', () => {
  const branches: JsonSchema = {
    anyOf: [{ type: 'array', items: self }, { type: 'array', items: self, minItems: 1 }, { enum: [0] }],
  };

  /** Forty definitions, each of which includes the next one twice. */
  const fan = (word: 'allOf' | 'anyOf', last: JsonSchema): JsonSchema => {
    const definitions = Array.from({ length: 40 }, (_, index): [string, JsonSchema] => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, index === 39 ? last : { [word]: [next, next] }];
    });
    return { $ref: '#/$defs/d0', $defs: Object.fromEntries(definitions) };
  };

  test.each([18, 100, 240])(
    'checks a definition once for each value if branches share their items: %i levels',
    (depth) => {
      expect(createValidator(recursive(branches)).accepts(nest(depth, 0, inArray))).toBe(true);
      expect(reasons(recursive(branches), nest(depth, 1, inArray))).not.toEqual([]);
    },
  );

  test.each<[unknown, boolean]>([
    ['x', true],
    [1, false],
    [{}, false],
    [[], false],
  ])(
    'checks a definition once for each value even if each definition includes the next one twice: %j',
    (value, wanted) => {
      const schema = fan('allOf', { type: 'string' });
      expect(createValidator(schema).accepts(value)).toBe(wanted);
      expect(reasons(schema, value)).toEqual(wanted ? [] : ['string_type']);
    },
  );

  test('reports the union that fails if each definition lists the next one twice among its alternatives', () => {
    expect(reasons(fan('anyOf', { properties: { a: { type: 'string' } } }), { a: 1 })).toEqual(['union_mismatch']);
  });

  test('checks a value with many members against many closed alternatives', () => {
    const anyOf = Array.from({ length: 1_000 }, (_, index) => ({
      properties: { [`a${index}`]: {} },
      additionalProperties: false,
    }));
    const value = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`m${index}`, index]));
    expect(createValidator({ anyOf }).accepts(value)).toBe(false);
  });

  const objects = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `f${index}`, of: [{ index }] }));
  test.each<[string, (count: number) => [JsonSchema, unknown]]>([
    ['uniqueItems', (count) => [{ uniqueItems: true }, objects(count)]],
    ['enum', (count) => [{ items: { enum: objects(count) } }, objects(count)]],
    [
      'nested uniqueItems',
      (count) => [recursive({ uniqueItems: true, items: self }), nest(300, objects(count), inArray)],
    ],
  ])('finishes checking %s of 30,000 items', (_, make) => {
    const [schema, value] = make(30_000);
    expect(createValidator(schema).accepts(value)).toBe(true);
    expect(
      createValidator({ uniqueItems: true }).accepts([...objects(10_000), { of: [{ index: 7 }], name: 'f7' }]),
    ).toBe(false);
  });

  test('reports at most a thousand failures', () => {
    const detail = reasons(
      { items: { type: 'string' } },
      Array.from({ length: 50_000 }, () => 1),
    );
    expect(detail).toHaveLength(1000);
  });
});

describe('a pattern that is left to the server', () => {
  const open = { type: 'string', pattern: '(a)\\1' } as const;
  test.each<[string, JsonSchema, readonly unknown[], readonly unknown[]]>([
    ['by itself', open, ['x'], [1]],
    ['not', { not: open }, ['x', 1], []],
    ['oneOf', { oneOf: [open, { type: 'string' }, { type: 'number', minimum: 5 }] }, ['x', 7], [1, null]],
    ['anyOf within not', { not: { anyOf: [open, { type: 'number' }] } }, ['x', null], [1]],
    ['a definite branch within not', { not: { anyOf: [open, { minLength: 1 }] } }, [''], ['x', 1]],
    ['if', { if: open, then: { minLength: 3 }, else: { type: 'number' } }, ['x', 1], [null]],
    ['contains', { contains: open, maxContains: 1 }, [['x', 'y'], ['x']], [[1], []]],
    [
      'names of members',
      { patternProperties: { '(a)\\1': { type: 'number' } }, additionalProperties: false },
      [{ b: 'x' }],
      [],
    ],
    ['evaluated members', { patternProperties: { '(a)\\1': true }, unevaluatedProperties: false }, [{ b: 'x' }], []],
    ['a definition', { not: self, $defs: { self: { allOf: [open] } } }, ['x', 1], []],
  ])('does not reject a value that an unchecked pattern may match: %s', (_, schema, possible, invalid) => {
    const { accepts } = createValidator(schema);
    expect(possible.map((value) => accepts(value))).toEqual(possible.map(() => true));
    expect(invalid.map((value) => accepts(value))).toEqual(invalid.map(() => false));
  });
});
