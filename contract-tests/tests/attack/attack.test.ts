import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const attack = join(import.meta.dirname, 'attack.ts');

type Report = { seed: number; results: { name: string; cases: number; defects: unknown[] }[] };

test('a sample of the attack finds nothing', { timeout: 300_000 }, async () => {
  const run = promisify(execFile)(process.execPath, [attack, '--sample', '--json'], { maxBuffer: 2 ** 26 });
  // An attack that found something ends with 1 and prints its report all the same.
  const { stdout } = await run.catch((error: { stdout: string }) => error);
  const { seed, results }: Report = JSON.parse(stdout);
  expect(
    results.flatMap(({ name, defects }) => defects.map((defect) => ({ name, defect }))),
    `seed ${seed}`,
  ).toEqual([]);
  expect(results.filter(({ cases }) => cases > 0).map(({ name }) => name)).toEqual([
    'documents',
    'values',
    'servers',
    'caches',
    'callers',
    'catalogs',
    'differences',
  ]);
});
