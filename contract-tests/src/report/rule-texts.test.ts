import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../specs/src/index.ts';
import { allRules } from '../conform.ts';
import { parseSentences, sentenceOf } from './rule-texts.ts';

const read = () => JSON.parse(readFileSync(join(packageRoot(), 'contract-tests/rule-sentences.json'), 'utf8'));

test('every rule has a sentence, and every sentence a rule', () => {
  const sentences = parseSentences(read());
  const ids = allRules.map(({ id }) => id);
  const own = new Map(allRules.flatMap(({ id, sentence }) => (sentence === undefined ? [] : [[id, sentence]])));
  expect(ids.filter((id) => !own.has(id) && sentenceOf(sentences, id) === undefined)).toEqual([]);
  expect(ids.filter((id) => own.has(id) && sentences.has(id))).toEqual([]);
  for (const [key, sentence] of [...own, ...sentences]) {
    const named = key.endsWith('*')
      ? ids.filter((id) => id.startsWith(key.slice(0, -1)))
      : ids.filter((id) => id === key);
    expect([key, named.length > 0]).toEqual([key, true]);
    expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
  }
});

test('prefers the sentence of the longest start, and says the rest of the id', () => {
  const sentences = parseSentences({ 'a.*': 'First {}.', 'a.b.*': 'Second {}.', 'a.b.own': 'Own.' });
  const cases = ['a.x', 'a.b.c-d', 'a.b.own', 'b.x'].map((id) => sentenceOf(sentences, id));
  expect(cases).toEqual(['First x.', 'Second c d.', 'Own.', undefined]);
});
