import { expect, test } from 'vitest';
import { defineRule, type Rule } from '../contract/rule.ts';
import { createFinding, exchange } from '../report/fixtures/example-report.ts';
import { exitCodeOf, reasonOf } from '../report/report.ts';
import { assembleReport } from './assemble-report.ts';
import { type CheckRecord, type Entry, joinRecords, type Stopped } from './record.ts';

const rules: readonly Rule[] = ['a.failing', 'a.other'].map((id) =>
  defineRule({
    id,
    sentence: 'A.',
    family: 'a',
    requirements: ['MR-GEN-01'],
    api: 'router',
    probe: () => [],
    check: () => [],
  }),
);

function part(index: number, entries: readonly Entry[], stop: Partial<Stopped> = {}): CheckRecord {
  return [
    {
      kind: 'opened',
      startedAtMs: 0,
      target: {
        kind: 'live',
        router: { url: 'http://router.test', credentials: {} },
        budget: { runs: index, models: [] },
      },
      shard: { index, of: 2 },
      specs: { brand: 'Service', modelRouter: 'one', workflowExecution: 'two' },
    },
    ...entries,
    { kind: 'stopped', durationMs: index * 10, ...stop },
  ];
}

function failing(step: string): readonly Entry[] {
  const outcome = { kind: 'failed', findings: [createFinding('a.failing', `cause ${step}`)] } as const;
  const run = {
    ruleId: 'a.failing',
    step,
    model: 'a/b',
    route: 'run',
    state: 'spent',
    expectsRejection: false,
  } as const;
  return [
    { kind: 'run', index: 0, record: { ...run, state: 'reserved' } },
    { kind: 'run', index: 0, record: run },
    { kind: 'exchange', exchange: { ...exchange, step } },
    { kind: 'decided', ruleId: 'a.failing', outcome, evidence: [{ at: 0, step }], durationMs: 1 },
  ];
}

const decidedOther: Entry = {
  kind: 'decided',
  ruleId: 'a.other',
  outcome: { kind: 'passed' },
  evidence: [],
  durationMs: 1,
};

test('the findings of all parts keep their exchanges, and their calls count together', () => {
  const joined = joinRecords([part(1, failing('first')), part(2, [...failing('second'), decidedOther])]);
  const report = assembleReport(joined, rules);
  const [failed] = report.results;
  expect(failed?.evidence.map(({ step }) => step)).toEqual(['first', 'second']);
  const found = failed?.outcome.kind === 'failed' ? failed.outcome.findings : [];
  expect(found.map(({ cause, seen }) => [cause, seen?.exchange])).toEqual([
    ['cause first', 0],
    ['cause second', 1],
  ]);
  expect(report.budget).toMatchObject({ runs: 3, used: 2 });
  expect(report.budget?.calls.map(({ step, state }) => [step, state])).toEqual([
    ['first', 'spent'],
    ['second', 'spent'],
  ]);
  expect(report.durationMs).toBe(20);
});

test('what a stopped part did not decide has the reason of that part', () => {
  const stopped = part(1, [], { because: 'took too long', at: 'a.failing' });
  const report = assembleReport(joinRecords([stopped, part(2, [])]), rules);
  expect(report.results.map(({ outcome }) => reasonOf(outcome))).toEqual([
    'took too long',
    'not decided: the gate was stopped at a.failing',
  ]);
  expect(exitCodeOf(report)).toBe(3);
});

test('a part of another selection is refused', () => {
  const [opened, ...rest] = part(2, []);
  const other = [{ ...opened, rules: ['a.*'] } as Entry, ...rest];
  expect(() => joinRecords([part(1, []), other])).toThrow('the parts are of different checks');
});
