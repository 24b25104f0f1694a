import { expect, test } from 'vitest';
import { soak } from './soak.ts';

test('a sandbox that is killed and restarted loses no request and bills none twice', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`soak: seed ${seed}\n`);
  const report = await soak({ seed, seconds: 5, clients: 10 });
  expect(report.problems, `seed ${seed}`).toEqual([]);
  expect(report.kills).toBeGreaterThan(0);
}, 120_000);
