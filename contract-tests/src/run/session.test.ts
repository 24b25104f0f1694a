import { expect, test } from 'vitest';
import { createSemaphore, type Semaphore } from './session.ts';

/** Tasks that end when `end` names them; `started` lists them in the order in which they started. */
function controlled(semaphore: Semaphore): {
  add(name: string, exclusive?: boolean): Promise<unknown>;
  end(name: string): Promise<void>;
  started: string[];
} {
  const started: string[] = [];
  const endings = new Map<string, () => void>();
  return {
    started,
    add: (name, exclusive) =>
      semaphore(() => {
        started.push(name);
        return new Promise<void>((resolve, reject) =>
          endings.set(name, name === 'broken' ? () => reject(new Error(name)) : resolve),
        );
      }, exclusive),
    end: async (name) => {
      endings.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('runs as many tasks at a time as there are permits, in order, also when one fails', async () => {
  const { add, end, started } = controlled(createSemaphore(2));
  const settled = Promise.allSettled(['broken', 'second', 'third', 'fourth'].map((name) => add(name)));
  await end('no task');
  expect(started).toEqual(['broken', 'second']);
  for (const name of ['broken', 'second', 'third', 'fourth']) await end(name);
  expect(started).toEqual(['broken', 'second', 'third', 'fourth']);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});

test('an exclusive task waits for all before it and holds back all after it', async () => {
  const { add, end, started } = controlled(createSemaphore(2));
  const settled = Promise.all([add('first'), add('exclusive', true), add('last')]);
  await end('no task');
  expect(started).toEqual(['first']);
  await end('first');
  expect(started).toEqual(['first', 'exclusive']);
  await end('exclusive');
  expect(started).toEqual(['first', 'exclusive', 'last']);
  await end('last');
  await settled;
});
