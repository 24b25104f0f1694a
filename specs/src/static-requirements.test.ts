import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRequirements } from './requirements.ts';

// Each table names its rows by quoted ids; prose about a requirement does not quote.
const tables = readdirSync(import.meta.dirname)
  .filter((name) => /^static-requirements-.*\.test\.ts$/.test(name))
  .map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8'));

test('each requirement that is observed statically has its row in the tables, once, and no other one has', () => {
  const named = tables.flatMap((text) => [...text.matchAll(/'((?:MR|WX)-[A-Z]{3}-\d{2})'/g)].map(([, id = '']) => id));
  const wanted = readRequirements().filter(({ observe }) => observe === 'static');
  expect(wanted).toHaveLength(63);
  expect(named.sort()).toEqual(wanted.map(({ id }) => id).sort());
});
