import { expect, test } from 'vitest';
import { dereference } from './references.ts';

test('references lead through thirty others, and not through more', () => {
  const links = Array.from({ length: 31 }, (_, at) => [`L${at}`, at === 0 ? { end: true } : { $ref: `#/L${at - 1}` }]);
  const root = Object.fromEntries(links);
  expect(dereference(root, { $ref: '#/L29' })).toEqual({ value: { end: true }, pointer: '/L0' });
  expect(() => dereference(root, { $ref: '#/L30' })).toThrow('more than 30 others');
});
