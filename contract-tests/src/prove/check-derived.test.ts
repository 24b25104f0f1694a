import { expect, test } from 'vitest';
import { type DerivedRun, renderDerived, reportDerived } from './check-derived.ts';

const run = (id: string, ...caughtBy: string[]): DerivedRun => ({
  id,
  operation: id.split(' ')[0] ?? '',
  caughtBy,
  lookedAt: 'response',
});
const caught = run('readThing 200 /id dropped', 'passive.body');
const missed = run('listThings 404 body cut');

test('counts caught faults by operation, and lists missed faults', () => {
  const report = reportDerived([caught, missed]);
  expect(report).toMatchObject({
    total: 2,
    caught: 1,
    operations: [
      { operation: 'readThing', total: 1, caught: 1 },
      { operation: 'listThings', total: 1, caught: 0 },
    ],
    missed: [missed.id],
  });
  expect(renderDerived(report)).toContain(`missed ${missed.id}`);
});
