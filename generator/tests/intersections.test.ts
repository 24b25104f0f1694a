import { expect, test } from 'vitest';
import type { TypeModel } from '../src/typing/type-model.ts';
import { modelDocument } from './fake-router.ts';
import { readModel } from './read-model.ts';

function countAlternatives(type: TypeModel): number {
  if (type.kind === 'union') return type.members.reduce((sum, member) => sum + countAlternatives(member), 0);
  if (type.kind !== 'intersection') return 1;
  return type.members.reduce((product, member) => product * countAlternatives(member), 1);
}

test('an intersection of many unions keeps what TypeScript can spell out', () => {
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
