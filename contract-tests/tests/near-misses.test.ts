import { expect, test } from 'vitest';
import { listVariants } from '../../sandbox/src/index.ts';
import { type ConformanceReport, reasonOf } from '../src/index.ts';
import { tryRules } from './trial-run.ts';

function alarms(report: ConformanceReport): readonly string[] {
  const wrong = report.results.filter(({ outcome }) => ['failed', 'errored'].includes(outcome.kind));
  return wrong.map(({ ruleId, outcome }) => `${ruleId}: ${reasonOf(outcome)}`);
}

const madeAnew = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** All that was exchanged but ids made anew; times are left in, for an answer may be allowed to be slow. */
function traffic(report: ConformanceReport): string {
  return JSON.stringify(report.results.map(({ evidence }) => evidence)).replace(madeAnew, '<id>');
}

const healthy = traffic(await tryRules({}));

test.each(listVariants().map(({ id }) => [id]))('%s raises no alarm', async (id) => {
  const report = await tryRules({ variants: [id] });
  expect(alarms(report)).toEqual([]);
  expect(traffic(report) === healthy, 'it changes nothing at all').toBe(false);
});

test('what is compared does not change by itself', async () => {
  expect(traffic(await tryRules({})) === healthy).toBe(true);
});

test('there are near-misses enough', () => {
  expect(listVariants().length).toBeGreaterThanOrEqual(60);
});

test('all at once but those that exclude each other raise no alarm either', async () => {
  const families = ['json.', 'headers.'];
  const together = listVariants().filter(({ id }) => families.some((family) => id.startsWith(family)));
  expect(alarms(await tryRules({ variants: together.map(({ id }) => id) }))).toEqual([]);
});
