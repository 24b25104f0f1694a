import { expect, test } from 'vitest';
import { manualClock, systemClock } from './clock.ts';

test('a manual clock wakes sleepers in order of their time, and only those that are due', async () => {
  const clock = manualClock(1000);
  const woken: string[] = [];
  const sleep = (name: string, ms: number): Promise<void> => clock.sleep(ms).then(() => void woken.push(name));
  const sleepers = [sleep('late', 20), sleep('early', 10), sleep('later', 30)];
  clock.advance(20);
  await Promise.all(sleepers.slice(0, 2));
  expect(woken).toEqual(['early', 'late']);
  expect(clock.now()).toBe(1020);
  clock.advance(10);
  await sleepers[2];
  expect(woken).toEqual(['early', 'late', 'later']);
});

test.each([
  ['manual', manualClock()],
  ['system', systemClock],
])('an aborted sleep on the %s clock ends early without failing', async (_, clock) => {
  const stop = new AbortController();
  const asleep = clock.sleep(60_000, stop.signal);
  stop.abort();
  await expect(asleep).resolves.toBeUndefined();
  await expect(clock.sleep(60_000, stop.signal)).resolves.toBeUndefined();
});

test('the system clock sleeps for about as long as it is told', async () => {
  const before = systemClock.now();
  await systemClock.sleep(20);
  expect(systemClock.now() - before).toBeGreaterThanOrEqual(18);
});
