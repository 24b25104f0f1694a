import { expect, test } from 'vitest';
import { stringifyInput } from './billed.ts';

const identity = { operation: 'run' } as const;

test('inserts any number of bigints in one pass over the JSON text', () => {
  const integers = Array.from({ length: 40_000 }, (_, index) => 10n ** 30n + BigInt(index));
  const begun = process.cpuUsage();
  const text = stringifyInput({ integers, text: 'integer 0' }, identity);
  const { user, system } = process.cpuUsage(begun);
  expect(text).toBe(`{"integers":[${integers.join()}],"text":"integer 0"}`);
  expect((user + system) / 1_000).toBeLessThan(5_000);
});
