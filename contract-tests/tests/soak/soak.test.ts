import { expect, test } from 'vitest';
import { soak } from './soak.ts';

test('a sandbox that is killed and restarted loses no request and bills none twice', async () => {
  const report = await soak({ seed: 1, seconds: 3, clients: 10 });
  expect(report.problems).toEqual([]);
  expect(report.kills).toBeGreaterThan(0);
}, 120_000);
