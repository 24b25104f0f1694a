import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot, readRequirements } from '../../specs/src/index.ts';

const wing = join(packageRoot(), 'generator');
const unproven: Record<string, string> = JSON.parse(readFileSync(join(wing, 'unproven.json'), 'utf8'));
const ours = readRequirements().filter(({ parties }) => parties.includes('generator'));

/** Ids in titles and rows of tests, this file aside. */
function citedIds(): Set<string> {
  const names = readdirSync(wing, { recursive: true, encoding: 'utf8' });
  const texts = names
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('requirements.test.ts'))
    .map((name) => readFileSync(join(wing, name), 'utf8'));
  return new Set(texts.flatMap((text) => text.match(/\b(?:MR|WX)-[A-Z]+-\d+\b/g) ?? []));
}

test('every requirement on the generator is cited by a test or has a written reason, and none has both', () => {
  const cited = citedIds();
  expect(ours.length).toBeGreaterThan(50);
  expect(ours.filter(({ id }) => !cited.has(id) && unproven[id] === undefined).map(({ id }) => id)).toEqual([]);
  expect(Object.keys(unproven).filter((id) => cited.has(id))).toEqual([]);
});

test('reasons are for requirements on the generator, and say something', () => {
  const ids = new Set(ours.map(({ id }) => id));
  expect(Object.keys(unproven).filter((id) => !ids.has(id))).toEqual([]);
  expect(Object.values(unproven).filter((reason) => reason.length < 40)).toEqual([]);
});

test('tests cite requirements that exist', () => {
  const known = new Set(readRequirements().map(({ id }) => id));
  expect([...citedIds()].filter((id) => !known.has(id))).toEqual([]);
});
