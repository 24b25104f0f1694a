import { describe, expect, test } from 'vitest';
import { createReport, failed, passed, unchecked } from './fixtures/example-report.ts';
import { exitCodeOf } from './report.ts';
import { applyWaivers, parseWaivers, renderBaseline } from './waivers.ts';

const today = '2030-02-01';
const ruleIds = new Set(['a.one', 'a.two', 'a.three']);
const waiver = (rule: string, expires = '2030-02-01') => ({ rule, reason: 'being fixed', owner: 'team', expires });

describe('a waiver', () => {
  test.each([
    ['of a rule that fails covers it until its last day', waiver('a.one'), [], 0],
    ['that expired is a finding, and covers nothing', waiver('a.one', '2030-01-31'), ['expired'], 1],
    ['of a rule that passed is a finding', waiver('a.two'), ['passed'], 1],
    ['of no rule is a finding', waiver('a.none'), ['unknown-rule'], 1],
    ['of a rule that was not checked is none', waiver('a.three'), [], 1],
  ])('%s', (_, given, problems, exit) => {
    const report = createReport([failed('a.one'), passed('a.two'), unchecked('a.three')]);
    const waived = applyWaivers(report, [given], { today, ruleIds });
    expect(waived.waiverProblems?.map(({ kind }) => kind)).toEqual(problems);
    expect(exitCodeOf(waived)).toBe(exit);
  });

  test('of one finding leaves the others', () => {
    const report = createReport([failed('a.one'), failed('a.two')]);
    expect(exitCodeOf(applyWaivers(report, [waiver('a.one')], { today, ruleIds }))).toBe(1);
  });
});

test('a baseline accepts every finding of the run, and keeps the waivers that are of use', () => {
  const report = createReport([failed('a.one'), failed('a.two'), passed('a.three'), failed('a.four')]);
  const known = new Set([...ruleIds, 'a.four', 'a.elsewhere']);
  const earlier = [
    waiver('a.one'),
    waiver('a.three'),
    waiver('a.four', '2029-01-01'),
    waiver('a.elsewhere'),
    waiver('a.none'),
  ];
  const waived = applyWaivers(report, earlier, { today, ruleIds: known });
  const given = { reason: 'first run: "later"', owner: '@team', expires: '2030-03-03' };
  const read = parseWaivers(renderBaseline(waived, earlier, given), 'file');
  expect(read.map(({ rule, owner }) => `${rule} ${owner}`)).toEqual([
    'a.one team',
    'a.elsewhere team',
    'a.two @team',
    'a.four @team',
  ]);
  expect(exitCodeOf(applyWaivers(report, read, { today, ruleIds: known }))).toBe(0);
});

test.each([
  ['no list', 'waivers: 1', 'holds no list'],
  ['a missing owner', '- { rule: a, reason: b, expires: 2030-01-01 }', 'waiver 1 lacks owner'],
  ['another date', '- { rule: a, reason: b, owner: c, expires: 31.1.2030 }', 'must be a day'],
  ['a day that does not exist', '- { rule: a, reason: b, owner: c, expires: 2030-13-01 }', 'must be a day'],
  ['an unknown member', '- { rule: a, reason: b, owner: c, expires: 2030-01-01, until: 1 }', '"until"'],
  ['a rule twice', `${'- { rule: a, reason: b, owner: c, expires: 2030-01-01 }\n'.repeat(2)}`, 'two waivers name a'],
  ['no YAML', '{', 'is no YAML'],
])('refuses a file with %s', (_, text, message) => {
  expect(() => parseWaivers(text, 'file')).toThrow(message);
});
