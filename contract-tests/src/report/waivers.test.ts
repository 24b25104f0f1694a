import { describe, expect, test } from 'vitest';
import { createFinding, createReport, createResult, failed, passed, unchecked } from './fixtures/example-report.ts';
import { exitCodeOf } from './report.ts';
import { viewReport } from './view.ts';
import { applyWaivers, parseWaivers, renderBaseline } from './waivers.ts';

const today = '2030-02-01';
const ruleIds = new Set(['a.one', 'a.two', 'a.three']);
const waiver = (rule: string, expires = '2030-02-01') => ({ rule, reason: 'being fixed', owner: 'team', expires });

describe('a waiver', () => {
  test.each([
    ['covers a failed rule until its last day', waiver('a.one'), [], 0],
    ['is a problem and has no effect after it has expired', waiver('a.one', '2030-01-31'), ['expired'], 1],
    ['is a problem if its rule passed', waiver('a.two'), ['passed'], 1],
    ['is a problem if its rule does not exist', waiver('a.none'), ['unknown-rule'], 1],
    ['is not a problem if its rule was not checked', waiver('a.three'), [], 1],
  ])('a waiver %s', (_, given, problems, exit) => {
    const report = createReport([failed('a.one'), passed('a.two'), unchecked('a.three')]);
    const waived = applyWaivers(report, [given], { today, ruleIds });
    expect(waived.waiverProblems?.map(({ kind }) => kind)).toEqual(problems);
    expect(exitCodeOf(waived)).toBe(exit);
  });

  test('a report lists waived causes last', () => {
    const report = createReport([failed('a.one', 'an accepted cause'), failed('a.two', 'new cause')]);
    const waived = applyWaivers(report, [waiver('a.one')], { today, ruleIds });
    expect(report.groups.map(({ cause }) => cause)).toEqual(['an accepted cause', 'new cause']);
    expect(viewReport(waived).groups.map(({ cause }) => cause)).toEqual(['new cause', 'an accepted cause']);
  });

  test('causes with the same headline get different titles in a report', () => {
    const findings = [
      createFinding('a.one', 'member b is wrong'),
      createFinding('a.one', 'member c is wrong'),
    ] as const;
    const report = createReport([createResult('a.one', { kind: 'failed', findings })]);
    expect(viewReport(report).groups.map(({ title }) => title)).toEqual([
      'Rule violated: A page is a page: member b is wrong',
      'Rule violated: A page is a page: member c is wrong',
    ]);
  });

  test('a waiver does not cover findings with a more severe concern than it states', () => {
    const report = createReport([failed('a.one'), passed('a.two')]); // Its finding has the concern `discovery`.
    const decide = (concern?: 'access' | 'discovery' | 'form') =>
      exitCodeOf(applyWaivers(report, [{ ...waiver('a.one'), ...(concern && { concern }) }], { today, ruleIds }));
    expect([decide(), decide('access'), decide('discovery'), decide('form')]).toEqual([0, 0, 0, 1]);
  });

  test('a waiver only covers the findings of its rule', () => {
    const report = createReport([failed('a.one'), failed('a.two')]);
    expect(exitCodeOf(applyWaivers(report, [waiver('a.one')], { today, ruleIds }))).toBe(1);
  });
});

describe('a rule that could not be prepared', () => {
  const missing = (ruleId: string, outcome: 'setup-failed' | 'blocked') => ({ ruleId, outcome, because: 'x' });
  const unprepared = createResult('a.one', { kind: 'setup-failed', reason: 'no answer' });
  const blocked = createResult('a.two', { kind: 'blocked', by: 'a.one' });
  const behind = createResult('a.three', { kind: 'blocked', by: 'a.two' });
  const report = createReport([unprepared, blocked, behind, passed('a.four')], {
    missingRequired: [missing('a.one', 'setup-failed'), missing('a.two', 'blocked'), missing('a.three', 'blocked')],
  });
  const text = renderBaseline(report, { reason: 'known', owner: 'team', expires: '2030-03-03' });
  const waivers = parseWaivers(text, 'file');

  test('a baseline accepts a rule whose setup failed, including the rules that it blocks', () => {
    expect(waivers).toEqual([{ ...waiver('a.one', '2030-03-03'), reason: 'known', outcome: 'setup-failed' }]);
    const waived = applyWaivers(report, waivers, { today, ruleIds });
    expect(exitCodeOf(report)).toBe(4);
    expect(exitCodeOf(waived)).toBe(0);
    expect(waived.results.map(({ waivedBy }) => waivedBy)).toEqual([undefined, 'a.one', 'a.one', undefined]);
  });

  test('if a rule fails after its setup had failed, its finding is new, and the next baseline accepts it', () => {
    const later = applyWaivers(createReport([failed('a.one')]), waivers, { today, ruleIds });
    expect(exitCodeOf(later)).toBe(1);
    const next = parseWaivers(renderBaseline(later, { reason: 'x', owner: 'y', expires: '2030-03-03' }, text), 'file');
    expect(next.map(({ outcome }) => outcome)).toEqual([undefined]);
  });

  test('the outcome in a waiver must be setup-failed', () => {
    expect(() => parseWaivers(text.replace('setup-failed', 'errored'), 'file')).toThrow('outcome must be setup-failed');
  });
});

describe('a baseline', () => {
  const report = createReport([failed('a.one'), failed('a.two'), passed('a.three'), failed('a.four')]);
  const known = new Set([...ruleIds, 'a.four', 'a.elsewhere']);
  const given = { reason: 'first run: "later"', owner: '@team', expires: '2030-03-03' };
  const writeBaseline = (existing: string): string => {
    const waived = applyWaivers(report, parseWaivers(existing, 'file'), { today, ruleIds: known });
    return renderBaseline(waived, given, existing);
  };

  test('the first baseline accepts every finding', () => {
    const text = renderBaseline(report, given);
    expect(text).toMatch(
      /^# Findings that are known[^\n]*\nwaivers:\n {2}- rule: a.one\n {4}reason: 'first run: "later"'\n/,
    );
    const read = parseWaivers(text, 'file');
    expect(read.map(({ rule }) => rule)).toEqual(['a.one', 'a.two', 'a.four']);
    expect(exitCodeOf(applyWaivers(report, read, { today, ruleIds: known }))).toBe(0);
  });

  test('a new baseline only changes waivers for rules of this check in an existing file', () => {
    const lines = (...changed: readonly string[]): string =>
      `# Of the router team.
#
# Ask before you add one.

waivers:
- rule: a.one # the oldest
  reason: "being fixed: the storage of headers, which takes longer than anybody has thought when it was begun"
  owner: team
  expires: 2030-02-01
${changed.join('\n')}

# Not in this check.
- { rule: a.elsewhere, reason: being fixed, owner: 'team', expires: 2030-02-01 }
`;
    const three =
      '\n# Fixed by the next release.\n- rule: a.three\n  reason: slow\n  owner: team\n  expires: 2030-02-01';
    const four = (expires: string, reason: string, owner: string): string =>
      `# Since 2029.\n- rule: a.four\n  reason: ${reason}\n  owner: ${owner}\n  expires: ${expires}`;
    const text = writeBaseline(lines(three, four('2029-01-01', 'old', 'team')));
    const added = `- rule: a.two\n  reason: 'first run: "later"'\n  owner: "@team"\n  expires: 2030-03-03\n  concern: discovery\n`;
    expect(text).toBe(`${lines(four('2030-03-03\n  concern: discovery', `'first run: "later"'`, '"@team"'))}${added}`);
    expect(exitCodeOf(applyWaivers(report, parseWaivers(text, 'file'), { today, ruleIds: known }))).toBe(0);
    expect(writeBaseline(text)).toBe(text);
  });

  test.each([
    ['JSON', JSON.stringify({ waivers: [waiver('a.one'), waiver('a.none')] })],
    ['only a list', '- { rule: a.one, reason: b, owner: c, expires: 2030-02-01 }\n'],
    ['an empty list', 'waivers: []\n'],
    [
      'Windows line breaks',
      'waivers:\r\n  - rule: a.one\r\n    reason: b\r\n    owner: c\r\n    expires: 2030-02-01\r\n',
    ],
  ])('a baseline adds waivers to a file with %s', (_, existing) => {
    const read = parseWaivers(writeBaseline(existing), 'file');
    expect(read.map(({ rule }) => rule)).toEqual(['a.one', 'a.two', 'a.four']);
  });
});

test.each([
  ['no list', 'waivers: 1', 'must be a list'],
  ['a missing owner', '- { rule: a, reason: b, expires: 2030-01-01 }', 'waiver 1 has no owner'],
  ['a different date format', '- { rule: a, reason: b, owner: c, expires: 31.1.2030 }', 'must be a date'],
  ['a day that does not exist', '- { rule: a, reason: b, owner: c, expires: 2030-13-01 }', 'must be a date'],
  ['an unknown member', '- { rule: a, reason: b, owner: c, expires: 2030-01-01, until: 1 }', '"until"'],
  [
    'an unknown concern',
    '- { rule: a, reason: b, owner: c, expires: 2030-01-01, concern: looks }',
    'concern must be one of access, money',
  ],
  [
    'a rule twice',
    `${'- { rule: a, reason: b, owner: c, expires: 2030-01-01 }\n'.repeat(2)}`,
    'there are two waivers for a',
  ],
  ['invalid YAML', '{', 'is not valid YAML'],
])('rejects a waiver file with %s', (_, text, message) => {
  expect(() => parseWaivers(text, 'file')).toThrow(message);
});
