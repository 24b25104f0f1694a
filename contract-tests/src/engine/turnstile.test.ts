import { expect, test } from 'vitest';
import { createTurnstile, type Turnstile } from './turnstile.ts';

/** Tasks that end when they are told to; `begun` says which were let in. */
function queue(enter: Turnstile): {
  add(name: string, alone?: boolean): Promise<unknown>;
  end(name: string): Promise<void>;
  begun: string[];
} {
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  return {
    begun,
    add: (name, alone) =>
      enter(() => {
        begun.push(name);
        return new Promise<void>((resolve, reject) =>
          endings.set(name, name === 'broken' ? () => reject(new Error(name)) : resolve),
        );
      }, alone),
    end: async (name) => {
      endings.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('at most so many run at a time, in order, also when one fails', async () => {
  const { add, end, begun } = queue(createTurnstile(2));
  const settled = Promise.allSettled(['broken', 'second', 'third', 'fourth'].map((name) => add(name)));
  await end('nobody');
  expect(begun).toEqual(['broken', 'second']);
  for (const name of ['broken', 'second', 'third', 'fourth']) await end(name);
  expect(begun).toEqual(['broken', 'second', 'third', 'fourth']);
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
});

test('one that is to be alone waits for all and lets nobody pass it', async () => {
  const { add, end, begun } = queue(createTurnstile(2));
  const settled = Promise.all([add('first'), add('alone', true), add('last')]);
  await end('nobody');
  expect(begun).toEqual(['first']);
  await end('first');
  expect(begun).toEqual(['first', 'alone']);
  await end('alone');
  expect(begun).toEqual(['first', 'alone', 'last']);
  await end('last');
  await settled;
});
