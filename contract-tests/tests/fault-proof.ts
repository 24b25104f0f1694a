import { describe, expect, test } from 'vitest';
import { type FaultEntry, listFaults } from '../../sandbox/src/index.ts';
import type { ConformanceReport } from '../src/index.ts';
import { failedIn, idsOf, share, tryRules } from './trial-run.ts';

/** The matrix of some families: every rule of the gate on each of their faults, and each of their rules failed by one. */
export async function proveFamilies(families: readonly string[]): Promise<void> {
  const faults = listFaults().filter(({ id }) => families.includes(id.split('.')[0] ?? ''));
  const reports = new Map<string, Promise<ConformanceReport>>();
  const reportOn = (id: string): Promise<ConformanceReport> => {
    const report = reports.get(id) ?? tryRules({ faults: [id] });
    reports.set(id, report);
    return report;
  };
  describe('a fault is caught by a rule of its own requirement and by no other', () => {
    test.each(faults.map((fault): [string, FaultEntry] => [fault.id, fault]))('%s', async (id, fault) => {
      proveFault(fault, await reportOn(id));
    });
  });
  const rules = (await tryRules({})).results.filter(({ family }) => families.includes(family));
  const passing = rules.filter(({ outcome }) => outcome.kind === 'passed');
  describe('a rule that can pass can fail', () => {
    test.each(passing.map((rule): [string, typeof rule] => [rule.ruleId, rule]))('%s', async (id, { requirements }) => {
      const own = faults.filter((fault) => share(fault.requirements, requirements));
      const verdicts = await Promise.all(own.map(async (fault) => idsOf(failedIn(await reportOn(fault.id)))));
      expect(verdicts.flat(), `faults tried: ${own.map((fault) => fault.id).join(', ')}`).toContain(id);
    });
  });
}

function proveFault(fault: FaultEntry, report: ConformanceReport): void {
  const failed = failedIn(report);
  const caught = failed.filter(({ requirements }) => share(requirements, fault.requirements));
  expect(idsOf(caught), 'rules of its own requirement').not.toEqual([]);
  const allowed = [...fault.requirements, ...(fault.trips ?? [])];
  const strays = failed.filter(({ requirements }) => !share(requirements, allowed));
  expect(idsOf(strays), 'false alarms').toEqual([]);
  const tripped = new Set(failed.flatMap(({ requirements }) => requirements));
  expect(
    (fault.trips ?? []).filter((id) => !tripped.has(id)),
    'trips that no rule shows',
  ).toEqual([]);
  expect(idsOf(report.results.filter(({ outcome }) => outcome.kind === 'errored'))).toEqual([]);
}
