import { expect, test } from 'vitest';
import { createClock } from './clock.ts';

test('advancing a manual clock only ends sleeps that are due, in order of time', async () => {
  const clock = createClock('manual');
  const before = clock.now();
  const woken: string[] = [];
  const sleep = (name: string, ms: number): Promise<void> => clock.sleep(ms).then(() => void woken.push(name));
  const sleepers = [sleep('late', 20), sleep('early', 10), sleep('later', 30)];
  clock.advance(20);
  await Promise.all(sleepers.slice(0, 2));
  expect(woken).toEqual(['early', 'late']);
  expect(clock.now()).toBe(before + 20);
  clock.advance(10);
  await sleepers[2];
  expect(woken).toEqual(['early', 'late', 'later']);
});

test.each(['manual', 'real'] as const)(
  'an aborted sleep on the %s clock ends early without failing',
  async (choice) => {
    const clock = createClock(choice);
    const stop = new AbortController();
    const asleep = clock.sleep(60_000, stop.signal);
    stop.abort();
    await expect(asleep).resolves.toBeUndefined();
    await expect(clock.sleep(60_000, stop.signal)).resolves.toBeUndefined();
  },
);

test('a real clock follows the system time, and ends due sleeps in order of time when it is advanced', async () => {
  const clock = createClock('real');
  const before = clock.now();
  const woken: string[] = [];
  const sleeps = [clock.sleep(7_200_000), clock.sleep(3_600_000)].map((sleep, index) =>
    sleep.then(() => woken.push(index === 0 ? 'two hours' : 'one hour')),
  );
  await clock.sleep(5);
  expect(clock.now()).toBeGreaterThanOrEqual(before + 4);
  clock.advance('90m');
  await clock.sleep(5);
  expect(woken).toEqual(['one hour']);
  clock.advance('1h');
  await Promise.all(sleeps);
  expect(woken).toEqual(['one hour', 'two hours']);
  expect(clock.now()).toBeLessThan(before + 9_000_000 + 60_000);
});
