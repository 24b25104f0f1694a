import { availableParallelism } from 'node:os';
import { beforeAll, describe, expect, test } from 'vitest';
import { listFaults } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../specs/src/index.ts';
import { runSelfCheck, type SelfCheckReport } from '../src/index.ts';
import { readingFamilies, runningFamilies, toldFamilies } from './rule-families.ts';

const faults = listFaults();
const subject = new URL('../../scripts/cli/self-check-subject.ts', import.meta.url);
let report: SelfCheckReport;

/** Every rule of the gate on a sandbox of its own with each fault; the near-misses have a test beside this one. */
beforeAll(async () => {
  report = await runSelfCheck({
    specs: await buildEffectiveSpecs(defaultSpecSettings),
    faults,
    variants: [],
    subject: { module: subject.href, threads: Math.min(4, availableParallelism()) },
  });
}, 600_000);

describe('a fault is caught by a rule of its own requirement and by no other', () => {
  test.each(faults.map(({ id }) => [id]))('%s', (id) => {
    const trial = report.faults.trials.find((one) => one.id === id);
    expect(trial?.caughtBy, 'rules of its own requirement').not.toEqual([]);
    expect(trial?.strays, 'false alarms').toEqual([]);
    expect(trial?.unshownTrips, 'trips that no rule shows').toEqual([]);
  });
});

test('every rule is sound on the healthy sandbox, and every rule that can pass can fail', () => {
  expect(report.rules.unsound).toEqual([]);
  expect(report.rules.unproven).toEqual([]);
});

test('every fault belongs to a family', () => {
  const families = [...readingFamilies, ...runningFamilies, ...toldFamilies];
  expect(faults.filter(({ id }) => !families.includes(id.split('.')[0] ?? '')).map(({ id }) => id)).toEqual([]);
});
