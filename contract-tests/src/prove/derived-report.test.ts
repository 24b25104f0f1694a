import { expect, test } from 'vitest';
import type { DerivedRun } from './check-derived.ts';
import { isDerivedSound, renderDerived, reportDerived } from './derived-report.ts';

const run = (id: string, ...caughtBy: string[]): DerivedRun => ({
  id,
  operation: id.split(' ')[0] ?? '',
  caughtBy,
  lookedAt: 'response',
});
const caught = run('readThing 200 /id dropped', 'passive.body');
const explained = run('listThings 404 labelled as text');

test('is sound when each fault is caught or has a reason', () => {
  const report = reportDerived([caught, explained]);
  expect(isDerivedSound(report)).toBe(true);
  expect(report).toMatchObject({
    total: 2,
    caught: 1,
    operations: [
      { operation: 'readThing', total: 1, caught: 1 },
      { operation: 'listThings', total: 1, caught: 0 },
    ],
  });
});

test('names a fault that is missed without a reason', () => {
  const report = reportDerived([caught, explained, run('readThing 200 /id null')]);
  expect(isDerivedSound(report)).toBe(false);
  expect(renderDerived(report)).toContain('missed readThing 200 /id null');
});

test('refuses a reason that nothing needs any more', () => {
  const report = reportDerived([caught]);
  expect(isDerivedSound(report)).toBe(false);
  expect(renderDerived(report)).toContain('needless reason');
});
