import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRequirements } from '../../src/requirements/requirements.ts';

// Each table names its rows by quoted ids; prose about a requirement does not quote.
const tables = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'));

test('each static requirement, and no other one, has one row in the tables', () => {
  const named = tables.flatMap((text) => [...text.matchAll(/'((?:MR|WX)-[A-Z]{3}-\d{2})'/g)].map(([, id = '']) => id));
  const wanted = readRequirements().filter(({ observe }) => observe === 'static');
  expect(named.sort()).toEqual(wanted.map(({ id }) => id).sort());
});
