import { expect, test } from 'vitest';
import { modelDocument } from './fake-router.ts';
import { readModel } from './read-model.ts';

const self = { $ref: '#/components/schemas/Self' };

function listDiagnostics(components: object, input: object = { type: 'object', properties: { x: self } }) {
  const { diagnostics } = readModel(modelDocument('p/m', { input, components }));
  return diagnostics.map(({ severity, code, model, pointer }) => ({ severity, code, model, pointer }));
}

test('reads a circular reference through 20,000 definitions', () => {
  const chain = Array.from({ length: 20_000 }, (_, index): [string, object] => {
    return [`N${index}`, { not: { $ref: `#/components/schemas/N${(index + 1) % 20_000}` } }];
  });
  const input = { type: 'object', properties: { x: { $ref: '#/components/schemas/N0' } } };
  expect(listDiagnostics(Object.fromEntries(chain), input)).toEqual([]);
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
