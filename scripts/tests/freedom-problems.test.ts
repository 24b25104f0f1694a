import { expect, test } from 'vitest';
import { type Freedom, readRequirements } from '../../specs/src/index.ts';
import { findFreedomProblems } from './freedom-problems.ts';

const requirements = readRequirements().filter(({ id }) => ['MR-CAT-01', 'MR-CAT-02', 'MR-CAT-05'].includes(id));
const free: Freedom = {
  id: 'order',
  kind: 'freedom',
  text: 'in any order',
  requirements: 'MR-CAT-01',
  variants: ['page.reversed'],
};
const strict: Freedom = { id: 'strict', kind: 'freedom', why: 'it is a name', requirements: 'MR-CAT-02' };
const find = (rows: readonly Freedom[], variants = ['page.reversed']) =>
  findFreedomProblems(rows, { requirements, assumptions: ['OP-001'], variants });

test('accepts freedoms with a source and a variant, and requirements of a server in one kind of row', () => {
  expect(find([free, strict])).toEqual([]);
});

test.each<{ name: string; rows: readonly Freedom[]; variants?: string[]; says: RegExp }>([
  {
    name: 'a freedom without variants',
    rows: [{ ...free, variants: [] }, strict],
    variants: [],
    says: /no variant uses/,
  },
  {
    name: 'a variant without a freedom',
    rows: [free, strict],
    variants: ['page.reversed', 'odd'],
    says: /odd belongs to no/,
  },
  { name: 'an unknown variant', rows: [free, strict], variants: [], says: /page.reversed, which is no variant/ },
  { name: 'no source', rows: [{ ...free, text: '' }, strict], says: /needs either/ },
  { name: 'an unknown reading', rows: [{ ...free, text: '', reading: 'OP-099' }, strict], says: /OP-099/ },
  {
    name: 'an unknown requirement',
    rows: [free, { ...strict, requirements: 'MR-CAT-02 MR-CAT-99' }],
    says: /MR-CAT-99/,
  },
  { name: 'a requirement in no row', rows: [free], says: /MR-CAT-02 has no freedom/ },
  {
    name: 'a requirement in both',
    rows: [free, { ...strict, requirements: 'MR-CAT-01 MR-CAT-02' }],
    says: /MR-CAT-01 has a/,
  },
  { name: 'an id twice', rows: [free, free, strict], says: /same id/ },
])('finds $name', ({ rows, variants, says }) => {
  expect(find(rows, variants)).toEqual([expect.stringMatching(says)]);
});
