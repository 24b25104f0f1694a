import { expect, test } from 'vitest';
import { followReference } from './references.ts';

test('follows a chain of at most thirty references', () => {
  const links = Array.from({ length: 31 }, (_, at) => [`L${at}`, at === 0 ? { end: true } : { $ref: `#/L${at - 1}` }]);
  const root = Object.fromEntries(links);
  expect(followReference(root, { $ref: '#/L29' })).toEqual({ value: { end: true }, pointer: '/L0' });
  expect(followReference(root, { $ref: '#/L30' }).problem).toContain('more than 30 steps');
});
