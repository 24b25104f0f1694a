import { describe, expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { createQueue } from './queue.ts';

test('who is put again keeps the place and gets another time', () => {
  const queue = createQueue();
  for (const id of ['first', 'second', 'third']) queue.put(id, 100);
  queue.put('first', 300);
  queue.put('second', 50);
  expect(queue.countAhead('third', 0)).toBe(2);
  expect([queue.countAhead('third', 50), queue.countAhead('first', 50)]).toEqual([1, 0]);
  expect([queue.size(100), queue.size(300)]).toEqual([1, 0]);
});

describe.each([1, 2, 3])('seed %i', (seed) => {
  test('a queue counts as somebody does who looks at each member', () => {
    const random = createRandom(`queue ${seed}`);
    const queue = createQueue();
    const members = new Map<string, number>(); // in order of admission
    for (let now = 0; now < 600; now += 1) {
      const id = `run ${Math.floor(random() * 80)}`;
      for (const [member, until] of members) if (until <= now) members.delete(member);
      const ahead = [...members.keys()].indexOf(id);
      expect([queue.size(now), queue.countAhead(id, now)]).toEqual([members.size, ahead < 0 ? members.size : ahead]);
      const until = now + Math.floor(random() * 120);
      queue.put(id, until);
      members.set(id, until);
    }
  });
});
