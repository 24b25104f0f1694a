import { describe, expect, test } from 'vitest';
import { modelDocument } from './fake-router.ts';
import { readModel } from './read-model.ts';

const self = { $ref: '#/components/schemas/Self' };

function listDiagnostics(components: object, input: object = { type: 'object', properties: { x: self } }) {
  const { diagnostics } = readModel(modelDocument('p/m', { input, components }));
  return diagnostics.map(({ severity, code, model, pointer }) => ({ severity, code, model, pointer }));
}

describe('a schema that refers to itself for the same value is a warning', () => {
  const circular = [{ severity: 'warning', code: 'reference-circular', model: 'p/m', pointer: '' }];
  test.each<[string, object]>([
    ['alone', self],
    ['oneOf', { oneOf: [self, { type: 'string' }] }],
    ['allOf', { allOf: [{ anyOf: [self] }] }],
    ['not', { not: self }],
    ['if', { if: self }],
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword
    ['then', { if: true, then: self }],
    ['dependentSchemas', { dependentSchemas: { a: self } }],
  ])('warns about a schema that refers to itself for the same value: %s', (_, definition) => {
    // Some of these schemas also accept no value, which is a separate diagnostic.
    const found = listDiagnostics({ Self: definition }).filter(({ code }) => code !== 'schema-impossible');
    expect(found).toEqual(circular);
  });

  test('reports a cycle through other definitions', () => {
    const next = (name: string) => ({ not: { $ref: `#/components/schemas/${name}` } });
    const components = { Self: next('A'), A: next('B'), B: next('A'), C: { type: 'string' } };
    const { diagnostics } = readModel(modelDocument('p/m', { input: { properties: { x: self } }, components }));
    expect(diagnostics.map(({ message }) => /the schema (\w+)/.exec(message)?.[1])).toEqual(['A', 'B']);
  });

  test('does not report a recursion that descends into members', () => {
    const descending = { type: 'object', properties: { a: self }, items: self, contains: self, propertyNames: self };
    expect(
      listDiagnostics({ Self: { ...descending, additionalProperties: { anyOf: [self, { type: 'null' }] } } }),
    ).toEqual([]);
  });

  test('reports a cycle in a chain of thousands of definitions', () => {
    const chain = Array.from({ length: 20_000 }, (_, index): [string, object] => {
      return [`N${index}`, { not: { $ref: `#/components/schemas/N${(index + 1) % 20_000}` } }];
    });
    const input = { type: 'object', properties: { x: { $ref: '#/components/schemas/N0' } } };
    expect(listDiagnostics(Object.fromEntries(chain), input).length).toBeGreaterThan(0);
  });
});

test('warns about a pattern that no matcher can parse, with its location', () => {
  const input = {
    type: 'object',
    properties: { fine: { pattern: '^(a+)+$' }, twice: { pattern: '(a)\\1' }, many: { pattern: '[a-z]{9999}' } },
    patternProperties: { '(?P<x>a)': true },
  };
  const at = (pointer: string) => ({ severity: 'warning', code: 'pattern-unread', model: 'p/m', pointer });
  const schema = '/paths/~1v2~1models~1p~1m/post/requestBody/content/application~1json/schema';
  expect(listDiagnostics({}, input)).toEqual([
    at(`${schema}/properties/twice/pattern`),
    at(`${schema}/properties/many/pattern`),
    at(`${schema}/patternProperties/(?P<x>a)`),
  ]);
});
