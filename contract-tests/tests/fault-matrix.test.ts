import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { listFaults } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../specs/src/index.ts';
import { checkRules, listRules, onThreads, type SelfCheckReport } from '../src/index.ts';

const faults = listFaults();
const system = new URL('../../scripts/cli/system-under-test.ts', import.meta.url);
let report: SelfCheckReport;

/** All rules against each fault, each on its own sandbox; the variants have their own test. */
beforeAll(async () => {
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const threads = { specs, module: system.href, threads: Math.min(8, availableParallelism()) };
  report = await onThreads(threads, (runs) => checkRules({ faults, variants: [], ...runs }));
}, 600_000);

describe('is caught by a rule of its own requirements and by no other', () => {
  test.each(faults.map(({ id }) => [id]))('%s', (id) => {
    const run = report.faults.runs.find((one) => one.id === id);
    expect(run?.caughtBy, 'rules of its own requirement').not.toEqual([]);
    expect(run?.unexpectedFailures, 'false alarms').toEqual([]);
    expect(run?.noted?.caughtBy, 'where no reading is required').not.toEqual([]);
    expect(run?.noted?.unexpectedFailures ?? []).toEqual([]);
    expect(run?.unshownViolations, 'declared violations that no rule shows').toEqual([]);
  });
});

test('proves every rule: it is sound on the healthy sandbox, and a fault makes it fail', () => {
  expect(report.rules.unsound).toEqual([]);
  expect(report.rules.unproven).toEqual([]);
});

test('knows the family of every fault', () => {
  const families = listRules().map(({ family }) => family);
  expect(faults.filter(({ id }) => !families.includes(id.split('.')[0] ?? '')).map(({ id }) => id)).toEqual([]);
});
