import { expect, test } from 'vitest';
import { listVariants } from '../../sandbox/src/index.ts';
import { type ConformanceReport, reasonOf } from '../src/index.ts';
import { checkSandbox } from './sandbox-under-test.ts';

function alarms(report: ConformanceReport): readonly string[] {
  const wrong = report.results.filter(({ outcome }) => ['failed', 'errored'].includes(outcome.kind));
  return wrong.map(({ ruleId, outcome }) => `${ruleId}: ${reasonOf(outcome)}`);
}

const newIds = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Every exchange without new ids; durations stay, because a variant may be slow. */
function traffic(report: ConformanceReport): string {
  return JSON.stringify(report.results.map(({ evidence }) => evidence)).replace(newIds, '<id>');
}

const healthy = traffic(await checkSandbox({}));

test.each(listVariants().map(({ id }) => [id]))(
  '%s raises no alarm, leaves the run complete and changes something',
  async (id) => {
    const report = await checkSandbox({ variants: [id] });
    expect(alarms(report)).toEqual([]);
    expect([...report.missingRequired, ...report.shortfalls], 'an incomplete run').toEqual([]);
    expect(traffic(report) === healthy && report.transient.length === 0, 'changes nothing').toBe(false);
  },
);

test('a healthy sandbox gives the same exchanges each time', async () => {
  expect(traffic(await checkSandbox({})) === healthy).toBe(true);
});

test('there are at least 90 variants', () => {
  expect(listVariants().length).toBeGreaterThanOrEqual(90);
});

test('variants of one response raise no alarm together', async () => {
  const families = ['json.', 'headers.'];
  const together = listVariants().filter(({ id }) => families.some((family) => id.startsWith(family)));
  expect(alarms(await checkSandbox({ variants: together.map(({ id }) => id) }))).toEqual([]);
});
