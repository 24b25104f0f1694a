import { describe, expect, test } from 'vitest';
import { modelDocument } from './fake-router.ts';
import { readModel } from './read-model.ts';

const self = { $ref: '#/components/schemas/Self' };

function listDiagnostics(components: object, input: object = { type: 'object', properties: { x: self } }) {
  const { diagnostics } = readModel(modelDocument('p/m', { input, components }));
  return diagnostics.map(({ severity, code, model, pointer }) => ({ severity, code, model, pointer }));
}

describe('circular references', () => {
  const circular = [{ severity: 'warning', code: 'reference-circular', model: 'p/m', pointer: '' }];
  test.each<[string, object]>([
    ['directly', self],
    ['oneOf', { oneOf: [self, { type: 'string' }] }],
    ['allOf', { allOf: [{ anyOf: [self] }] }],
    ['not', { not: self }],
    ['if', { if: self }],
    // biome-ignore lint/suspicious/noThenProperty: it is the keyword
    ['then', { if: true, then: self }],
    ['dependentSchemas', { dependentSchemas: { a: self } }],
  ])('warns about a schema that refers to itself for the same value: %s', (_, definition) => {
    expect(listDiagnostics({ Self: definition })).toEqual(circular);
  });

  test('warns about each definition of a circular reference, but not about others that lead to it', () => {
    const next = (name: string) => ({ not: { $ref: `#/components/schemas/${name}` } });
    const components = { Self: next('A'), A: next('B'), B: next('A'), C: { type: 'string' } };
    const { diagnostics } = readModel(modelDocument('p/m', { input: { properties: { x: self } }, components }));
    expect(diagnostics.map(({ message }) => /the schema (\w+)/.exec(message)?.[1])).toEqual(['A', 'B']);
  });

  test('does not warn about a recursion through members or items', () => {
    const descending = { type: 'object', properties: { a: self }, items: self, contains: self, propertyNames: self };
    expect(
      listDiagnostics({ Self: { ...descending, additionalProperties: { anyOf: [self, { type: 'null' }] } } }),
    ).toEqual([]);
  });

  test('warns about a circular reference through 20,000 definitions', () => {
    const chain = Array.from({ length: 20_000 }, (_, index): [string, object] => {
      return [`N${index}`, { not: { $ref: `#/components/schemas/N${(index + 1) % 20_000}` } }];
    });
    const input = { type: 'object', properties: { x: { $ref: '#/components/schemas/N0' } } };
    expect(listDiagnostics(Object.fromEntries(chain), input).length).toBeGreaterThan(0);
  });
});

test('warns about patterns that validators cannot check, with their locations', () => {
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
