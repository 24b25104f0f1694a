import { expect, test } from 'vitest';
import { modelDocument } from '../../tests/fake-router.ts';
import { readModel } from '../../tests/read-model.ts';
import { emitModel } from './emit-model.ts';
import { namePackages } from './emitted-file.ts';

test('marks integer members in their comments, because TypeScript only has the type number', () => {
  const integer = { type: 'integer' };
  const properties = {
    whole: integer,
    bounded: { type: 'integer', minimum: 1, description: 'How many.' },
    nullable: { type: 'integer', nullable: true },
    list: { type: 'array', items: integer },
    choice: { anyOf: [{ type: 'string' }, integer] },
    any: { type: 'number' },
    fixed: { type: 'integer', enum: [1, 2] },
  };
  const document = modelDocument('p/m', { input: { type: 'object', properties } });
  const { binding } = readModel(JSON.stringify(document));
  const settings = { packageNames: namePackages('@acme'), parts: 'types', generatorVersion: '0.0.0' } as const;
  const text = emitModel(binding, settings)
    .map(({ contents }) => contents)
    .join('');
  const input = text.slice(text.indexOf('export type Input'), text.indexOf('/** The output of the model'));
  expect(input.replace(/\n\s*/g, ' ')).toBe(
    'export type Input = { /** (integer) */ whole?: number; /** * How many. * (integer, minimum: 1) */ bounded?: number; ' +
      '/** (integer) */ nullable?: number | null; /** (of integers) */ list?: number[]; /** (integer) */ choice?: string | number; ' +
      'any?: number; fixed?: 1 | 2; }; ',
  );
});
