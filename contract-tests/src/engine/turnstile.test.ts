import { expect, test } from 'vitest';
import { createTurnstile } from './turnstile.ts';

test('at most so many run at a time, in order, also when one fails', async () => {
  const enter = createTurnstile(2);
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const tasks = [0, 1, 2, 3].map((index) =>
    enter(() => {
      begun.push(index);
      return new Promise<void>((resolve, reject) =>
        finish.push(index === 0 ? () => reject(new Error('broken')) : resolve),
      );
    }),
  );
  const settled = Promise.allSettled(tasks);
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  for (let index = 0; index < 4; index += 1) {
    finish[index]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(begun).toEqual([0, 1, 2, 3]);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});
