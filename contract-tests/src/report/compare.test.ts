import { expect, test } from 'vitest';
import { withComparison } from './compare.ts';
import { createReport, failed, passed, unchecked } from './fixtures/example-report.ts';

const table = [
  ['fails as before', failed('a.one'), failed('a.one'), 'lasting'],
  ['fails for a different reason', failed('a.one', 'another'), failed('a.one'), 'new and fixed'],
  ['passed before', failed('a.one'), passed('a.one'), 'new'],
  ['passes now', passed('a.one'), failed('a.one'), 'fixed'],
  ['was not checked before', failed('a.one'), unchecked('a.one'), 'not compared'],
  ['is not checked now', unchecked('a.one'), failed('a.one'), 'not compared'],
  ['did not exist before', failed('a.one'), passed('a.two'), 'not compared'],
] as const;

test.each(table)('a rule that %s is reported as %s', (_, now, before, verdict) => {
  const { comparison: compared } = withComparison(createReport([now]), createReport([before]));
  if (compared === undefined) throw new Error('not compared');
  const kinds = (['new', 'fixed', 'lasting'] as const).filter((kind) => compared[kind].length > 0);
  const text = kinds.length > 0 ? kinds.join(' and ') : 'not compared';
  expect(text).toBe(verdict);
  expect(compared.notCompared > 0).toBe(verdict === 'not compared');
});
