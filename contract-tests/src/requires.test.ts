import { expect, test } from 'vitest';
import { allRules } from './conform.ts';
import { findRequisite, listRows, requisites } from './requires.ts';
import { listConditions } from './run/plan.ts';

test('every requirement on a target has a unique id, a sentence, and one setting for each need', () => {
  const ids = requisites.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  for (const { id, need, setting, sentence } of requisites) {
    expect(findRequisite(id).sentence).toMatch(/^[A-Z].*\.$/);
    expect(sentence).toBe(findRequisite(id).sentence);
    expect(new Set(requisites.filter((row) => row.need === need).map((row) => row.setting))).toEqual(
      new Set([setting]),
    );
  }
});

test('every setting that describes a target is used by a rule, except some that only affect the budget or findings', () => {
  const required = new Set(allRules.flatMap((rule) => listConditions(rule).flatMap(listRows)));
  const idle = requisites.filter((row) => !required.has(row)).map(({ id }) => id);
  expect(idle).toEqual(['workflow.main', 'models', 'models.otherInput']);
});

test('the sentence of every rule begins with a capital or a digit, and ends with a full stop', () => {
  const sentences = allRules.map(({ sentence }) => sentence);
  expect(sentences.filter((sentence) => !/^[A-Z0-9].*\.$/.test(sentence))).toEqual([]);
});
