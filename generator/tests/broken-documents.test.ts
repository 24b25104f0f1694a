import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../specs/src/index.ts';
import { createDiagnosticList, maxDiagnostics } from '../src/diagnostics.ts';
import { printType } from '../src/emit/print-type.ts';
import { modelDocument } from './fake-router.ts';
import { flat, normaliseModel, readModel } from './read-model.ts';

const a = { a: { type: 'string' } };

describe('schemas that cannot be read', () => {
  test.each<[JsonValue, string]>([
    [{ $ref: '#/components/schemas/Missing' }, 'reference-dangling'],
    [{ $ref: 'other.json#/X' }, 'reference-external'],
    [{ $ref: 'file:///etc/passwd' }, 'reference-external'],
    [{ $ref: 'http://169.254.169.254/latest' }, 'reference-external'],
    [{ $ref: '#anchor' }, 'reference-dangling'],
    [{ $ref: 7 }, 'reference-malformed'],
    ['string', 'schema-malformed'],
    [{ anyOf: {} }, 'schema-malformed'],
    [{ type: 'text' }, 'type-unknown'],
    [{ enum: 'a' }, 'enum-malformed'],
    [{ $defs: {}, properties: null }, 'schema-malformed'],
  ])('reads the unreadable schema %j as unknown, with the warning %s', (x, code) => {
    const input = { type: 'object', properties: { kept: { type: 'string' }, x } };
    const { binding, diagnostics } = readModel(modelDocument('p/m', { input }));
    expect(flat(printType(binding.input.type).text)).toBe('{ kept?: string; x?: unknown }');
    expect(diagnostics.map((one) => [one.severity, one.code, one.model])).toEqual([['warning', code, 'p/m']]);
    expect(diagnostics[0]?.pointer).toContain('/schema/properties/x');
  });
});

test.each<[JsonValue]>([[7], [null], [[]], [{}], [{ toString: 1, valueOf: 1 }]])(
  'ignores limits of a schema and names of parameters with the malformed value %j',
  (x) => {
    const words = Object.fromEntries(
      ['minimum', 'multipleOf', 'pattern', 'format', 'minLength'].map((word) => [word, x]),
    );
    const input = { type: 'object', properties: { a: { ...words, minLength: 1, minimum: 2 } } };
    const document = JSON.stringify(modelDocument('p/m', { input }));
    const parameters = [
      { in: x, name: 'n' },
      { in: 'query', name: x },
      { in: 'query', name: 'kept' },
    ];
    const { binding } = readModel(document.replace('"post":{', `"post":{"parameters":${JSON.stringify(parameters)},`));
    expect(binding.operation.parameters.map(({ name }) => name)).toEqual(['kept']);
    const limits = [...(binding.schemas.input.properties?.get('a')?.limits ?? [])];
    expect(limits.filter(([, value]) => typeof value !== 'number')).toEqual([]);
  },
);

describe('documents beyond the limits', () => {
  test('lists a hundred warnings of a document and counts the other ones', () => {
    const odd = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`p${index}`, { type: 'text' }]));
    const { diagnostics } = readModel(modelDocument('p/m', { input: { type: 'object', properties: odd } }));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)?.message).toMatch(/^50 more/);
    // The maximum for a run is 10,000 diagnostics, and for a text 1,000 characters.
    const { add, all } = createDiagnosticList(maxDiagnostics.generation);
    for (let count = 0; count < 10_001; count++)
      add({ severity: 'warning', code: 'type-unknown', message: 'x'.repeat(1_001) });
    expect([all().length, all()[0]?.message]).toEqual([10_001, `${'x'.repeat(1_000)}…`]);
    expect(all().at(-1)?.message).toMatch(/^1 more/);
  });

  test.each([
    [256, []],
    [257, ['schema-too-deep']],
    [20_000, ['schema-too-deep']],
  ])('reads a schema of %i nested levels down to level 256, with the diagnostics %j', (levels, codes) => {
    const text = JSON.stringify(modelDocument('p/m', { output: 'here' }));
    const nested = `${'{"type":"array","items":'.repeat(levels)}{}${'}'.repeat(levels)}`;
    expect(readModel(text.replace('"here"', nested)).diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  test.each([
    [1_000, []],
    [1_001, ['document-too-large']],
  ])('reports a document with %i different patterns with the diagnostics %j', (count, codes) => {
    const patterns = Array.from({ length: count }, (_, at) => ({ pattern: String.fromCodePoint(0x4e00 + at) }));
    const { diagnostics } = normaliseModel(modelDocument('p/m', { input: { type: 'object', anyOf: patterns } }));
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  // Each level doubles the number of parts of the type. With 15 levels, it is more than half of the maximum.
  test.each([
    [15, []],
    [16, ['document-too-large']],
    [40, ['document-too-large']],
  ])('reports a document whose types double in size at each of %i levels with the diagnostics %j', (levels, codes) => {
    let schema: JsonValue = { type: 'string' };
    for (let level = 0; level < levels; level++) {
      schema = { type: 'object', properties: { below: schema }, anyOf: [{ required: ['a'] }, { required: ['b'] }] };
    }
    const { binding, diagnostics } = normaliseModel(modelDocument('p/m', { input: schema }));
    expect(binding === undefined).toBe(codes.length > 0);
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  test('reads a chain of 300 definitions that each combine the next one with other schemas', () => {
    const components: Record<string, JsonValue> = { L0: { type: 'object', properties: a } };
    for (let level = 1; level <= 300; level++) {
      const below = { $ref: `#/components/schemas/L${level - 1}` };
      const other = { anyOf: [below, { type: 'object', properties: { [`p${level}`]: below } }] };
      components[`L${level}`] = { allOf: [below, other], required: [`r${level}`] };
    }
    const { binding } = readModel(modelDocument('p/m', { input: { $ref: '#/components/schemas/L300' }, components }));
    expect(binding.types.length).toBeGreaterThan(0);
  });
});

describe('documents that do not describe a model', () => {
  test.each<[string, string, string]>([
    ['<html>Sign in</html>', 'document-not-json', ''],
    ['{"openapi":"3.0.4","paths":', 'document-not-json', ''],
    ['[]', 'document-not-openapi', ''],
    ['{"swagger":"2.0"}', 'document-not-openapi', ''],
    ['{"openapi":"2.1.0"}', 'document-not-openapi', '/openapi'],
    ['{"openapi":"3.1.0"}', 'operation-missing', '/paths'],
    ['{"openapi":"3.1.0","paths":{"/x":{"get":{}}}}', 'operation-missing', '/paths'],
    ['{"openapi":"3.1.0","paths":{"/x":{"post":{}},"/y":{"post":{}}}}', 'operation-missing', '/paths'],
  ])('reports an error, and no model, for the document %s', (text, code, pointer) => {
    const { binding, diagnostics } = normaliseModel(text);
    expect(binding).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: 'error', code, pointer, model: 'p/m' }]);
  });

  test('reads a document whose only POST operation has a different path than the model', () => {
    expect(readModel('{"openapi":"3.1.0","paths":{"/run":{"post":{}}}}').binding.inputAuthored).toBe(false);
  });
});

const closed = { type: 'object', properties: a, additionalProperties: false };

const inputAt = '/paths/~1v2~1models~1p~1m/post/requestBody/content/application~1json/schema';
const wrongEnum = { type: 'string', enum: [1, 2] };

test.each<[name: string, input: JsonValue, place: string]>([
  ['a member', { type: 'object', properties: { x: wrongEnum } }, `${inputAt}/properties/x`],
  ['a component', { $ref: '#/components/schemas/Size' }, '/components/schemas/Size/properties/width'],
])('warns about the location of an enum whose values contradict its type: %s', (_, input, pointer) => {
  const components = { Size: { type: 'object', properties: { width: wrongEnum } } };
  const { diagnostics } = readModel(modelDocument('p/m', { input, components }));
  expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'schema-impossible', pointer }]);
});

test.each<[JsonValue]>([
  [{ type: 'array', items: { type: 'string' } }],
  [{ allOf: [closed, { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] }] }],
  [false],
])('warns about an input that no object satisfies: %j', (input) => {
  const { diagnostics } = readModel(modelDocument('p/m', { input }));
  expect(diagnostics.map(({ severity, code }) => [severity, code])).toEqual([['warning', 'input-impossible']]);
  expect(diagnostics[0]?.pointer).toMatch(/\/requestBody\/content\/application~1json\/schema$/);
});
