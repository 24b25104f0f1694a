import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../json.ts';
import { flattenSchema } from './flatten-schema.ts';
import { createSampler } from './sample-values.ts';
import { compileSchema } from './schema-check.ts';
import { readSchema } from './schema-reader.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const to = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const text = { type: 'string' };

/** Each schema is made from a reference to the next one. */
function chain(length: number, make: (next: JsonObject, index: number) => JsonObject): JsonObject {
  const links = range(length).map((index) => [`S${index}`, make(to(`S${index + 1}`), index)] as const);
  return { $defs: { ...Object.fromEntries(links), [`S${length}`]: { type: 'object' } } };
}
const one = (schema: JsonObject): JsonObject => ({ $defs: { S0: schema } });
const named = (count: number, schema: JsonObject): JsonObject =>
  Object.fromEntries(range(count).map((index) => [`m${index}`, schema]));
const later = (index: number): JsonObject[] => range(40 - index - 1).map((gap) => to(`S${index + gap + 1}`));
const conditions = (next: JsonObject): JsonObject =>
  Object.fromEntries(['if', 'then', 'else'].map((key) => [key, next]));

const nested = (depth: number): JsonValue => range(depth).reduce<JsonValue>((inner) => [inner], []);
const list = (length: number, item: (index: number) => JsonValue): JsonValue[] => range(length).map(item);
const values: readonly JsonValue[] = [
  nested(18),
  { a: `${'a'.repeat(36)}!` },
  { a: list(20_000, (index) => ({ index })) },
  { a: nested(400) },
];

const documents: Readonly<Record<string, JsonObject>> = {
  'forty allOf that each include the next twice': chain(40, (next) => ({ allOf: [next, next] })),
  'forty anyOf that each include the next twice': chain(40, (next) => ({ anyOf: [next, next] })),
  'forty oneOf that each include the next twice': chain(40, (next) => ({ oneOf: [next, next] })),
  'forty schemas with a condition on the next': chain(40, conditions),
  'forty schemas that exclude the next twice': chain(40, (next) => ({ allOf: [{ not: next }, { not: next }] })),
  'forty schemas that include all later ones': chain(40, (_, index) => ({ ...text, allOf: later(index) })),
  'forty allOf with members': chain(40, (next, index) => ({
    allOf: [next, next],
    properties: { [`m${index}`]: text },
    required: [`m${index}`],
  })),
  'forty schemas with two members': chain(40, (next) => ({ properties: { a: next, b: next }, required: ['a', 'b'] })),
  'sixty members that refer to their own schema': one({ properties: named(60, to('S0')) }),
  'sixty required members': one({ properties: named(60, to('S0')), required: Object.keys(named(60, text)) }),
  'a schema that includes itself sixty times in allOf': one({ allOf: range(60).map(() => to('S0')) }),
  'a schema that includes itself sixty times in anyOf': one({ anyOf: range(60).map(() => to('S0')) }),
  'its own negation': one({ not: to('S0') }),
  'two branches over the same items': one({ items: { anyOf: [to('S0'), to('S0')] }, properties: { a: to('S0') } }),
  'two branches over the same members': one({ additionalProperties: { oneOf: [to('S0'), to('S0')] } }),
  'unique items': one({ type: ['object', 'array'], uniqueItems: true, properties: { a: { uniqueItems: true } } }),
  'items of 500 allowed objects': one({ items: { enum: range(500).map((a) => ({ a })) }, properties: { a: to('S0') } }),
  'items with 1,900 required members': one({
    items: { required: Object.keys(named(1_900, text)) },
    properties: { a: to('S0') },
  }),
  '50,000 members': one({ properties: named(50_000, text) }),
  '20,000 required members': one({ properties: named(20_000, text), required: Object.keys(named(20_000, text)) }),
  '20,000 schemas that are nested in each other': chain(20_000, (next) => ({ properties: { a: next } })),
  '5,000 schemas that each include the next': chain(5_000, (next) => ({ allOf: [next], properties: { a: text } })),
  '20,000 parts': one({ allOf: range(20_000).map((index) => ({ properties: { [`m${index}`]: text } })) }),
  'a pattern that native expressions never finish': one({ pattern: '^(a+)+$', properties: { a: to('S0') } }),
  'lists of at least a million items': one({ items: { items: to('S0'), minItems: 1_000_000 }, minItems: 1_000_000 }),
};

describe('hostile schemas', () => {
  test.each(Object.entries(documents))('reading, sampling and checking terminate for %s', (_, root) => {
    const source = readSchema(root, to('S0'), 'input');
    flattenSchema(source);
    const check = compiled(root);
    const isValid = (value: JsonValue): boolean => check(value).length === 0;
    const sample = createSampler(source)({ random: () => 0.3, prefer: 'full', isValid });
    for (const value of [sample ?? null, ...values]) expect(check(value).length).toBeLessThanOrEqual(1_000);
  });
});

function compiled(root: JsonObject) {
  try {
    return compileSchema(to('S0'), { root });
  } catch (error) {
    expect(String(error)).toContain('cannot be compiled');
    return () => [];
  }
}

test('reports a value that takes too many steps to check', () => {
  // Each item takes two steps.
  const checkItems = (count: number) => compileSchema({ items: text })(list(count, () => 'x'));
  expect([checkItems(499_990), checkItems(500_000)]).toMatchObject([[], [{ keyword: 'work' }]]);
  expect(compileSchema({ items: text })(list(1_001, () => 1))).toHaveLength(1_000);
  const root = documents['two branches over the same items'] ?? {};
  expect(compileSchema(to('S0'), { root })(nested(30))).toMatchObject([{ keyword: 'work' }]);
  expect(compileSchema({ not: to('S0') }, { root })(nested(30))).toMatchObject([{ keyword: 'work' }]);
});

test.each(['allOf', 'anyOf', 'oneOf', 'not'])('rejects %s of parts that include each other endlessly', (word) => {
  const root = chain(14, (next) => ({ [word]: word === 'not' ? { allOf: [next, next] } : [next, next] }));
  const message = 'schema cannot be compiled: more than 10000 of its parts apply to the same value';
  expect(() => compileSchema(to('S0'), { root, unreadable: 'accept' })).toThrow(message);
  expect(compileSchema(to('S6'), { root, unreadable: 'accept' })({})).toEqual(expect.any(Array));
});

test('rejects a schema of more than 2,000 parts, even if unreadable parts accept every value', () => {
  const schema = { properties: named(2_001, text) };
  expect(() => compileSchema(schema, { unreadable: 'accept' })).toThrow(/more than 2000 parts/);
});

test('merges a part once even if it is included many times', () => {
  const root = chain(30, (next, index) => ({ allOf: [next, next], properties: { [`m${index}`]: text } }));
  const { properties } = flattenSchema(readSchema(root, to('S0'), 'input'));
  expect(properties?.size).toBe(30);
  expect(properties?.get('m29')).toEqual({ type: ['string'] });
});

test('finds equal items among 50,000, regardless of the order of their members', () => {
  const isUnique = (items: JsonValue) => compileSchema({ uniqueItems: true })(items).length === 0;
  const items = list(50_000, (a) => ({ a, b: [a] }));
  expect(isUnique(items)).toBe(true);
  expect(isUnique([...items, { b: [7], a: 7 }])).toBe(false);
  expect([isUnique([1, '1', true, null]), isUnique([0, -0]), isUnique([[], []])]).toEqual([true, false, false]);
});

test('checks a long text with a plain pattern', () => {
  const check = compileSchema({ pattern: '^data:image/(png|jpeg);base64,' });
  expect(check(`data:image/png;base64,${'A'.repeat(9_000_000)}`)).toEqual([]);
  expect(compileSchema({ pattern: '^(a?){900}$' })('a'.repeat(100_000))).toMatchObject([{ keyword: 'work' }]);
});

test('returns the first violation of a value with too many violations without copying all of them', () => {
  const root = { components: { schemas: { Layer: { type: 'object', required: ['kind', 'url'] } } } };
  const layers = { properties: { layers: { items: { $ref: '#/components/schemas/Layer' } } } };
  const begun = process.threadCpuUsage();
  const violations = compileSchema(layers, { root })({ layers: list(32_000, () => ({})) });
  expect(process.threadCpuUsage(begun).user / 1_000).toBeLessThan(5_000);
  expect(violations).toMatchObject([{ pointer: '/layers/0', keyword: 'required' }]);
});

test('checks names that depend on each other, and rejects thousands of pairs', () => {
  const depend = (count: number) => {
    const names = list(count, (index) => `m${index}`);
    return compileSchema({ dependentRequired: Object.fromEntries(names.map((name) => [name, names])) });
  };
  const check = depend(40);
  const params = { property: 'm0', missingProperty: 'm1' };
  expect(check({ m0: 1 })).toHaveLength(39);
  expect(check({ m0: 1 })[0]).toMatchObject({ pointer: '', keyword: 'dependentRequired', params });
  expect(check({ other: 1 })).toEqual([]);
  expect(() => depend(1_500)).toThrow(/more than 2000 parts/);
});
