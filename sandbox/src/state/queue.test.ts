import { expect, test } from 'vitest';
import { countAhead, countUnderWay, createQueue, findRequest, putRequest } from './queue.ts';
import { admit, cancel, phaseOf, type QueuedRequest, requestLifetimeMs, untilNextPhase } from './queued-request.ts';

const timings = { waitingMs: 100, runningMs: 200 };
const dayMs = requestLifetimeMs;

function submit(id: string, at = 0, more: Partial<QueuedRequest> = {}): QueuedRequest {
  return { ...admit({ id, modelId: 'p/m', scope: 'workspace:one', input: {} }, timings, at), ...more };
}

test.each([
  [0, 'waiting', 100],
  [99, 'waiting', 1],
  [100, 'running', 200],
  [299, 'running', 1],
  [300, 'succeeded', 0],
  [dayMs, 'succeeded', 0],
])('at %i ms a request is %s, with %i ms left of that', (now, phase, left) => {
  expect(phaseOf(submit('a'), now)).toBe(phase);
  expect(untilNextPhase(submit('a'), now)).toBe(left);
});

test.each([
  [50, 'cancelled'],
  [150, 'cancelled'],
  [300, 'succeeded'],
])('a cancellation at %i ms leaves it %s for good', (at, phase) => {
  const request = cancel(submit('a'), at);
  expect(phaseOf(request, at)).toBe(phase);
  expect(phaseOf(request, dayMs)).toBe(phase);
  expect(cancel(request, at + 1000)).toBe(request);
});

test('the position counts waiting requests of the same model ahead, whoever sent them', () => {
  const queue = createQueue();
  const requests = [
    submit('other-model', 0, { modelId: 'p/other' }),
    submit('first', 0),
    submit('foreign', 10, { scope: 'user:x' }),
    submit('withdrawn', 10),
    submit('last', 20),
  ];
  for (const request of requests) putRequest(queue, request, 20);
  const last = submit('last', 20);
  expect(countAhead(queue, submit('first', 0), 20)).toBe(0);
  expect(countAhead(queue, last, 20)).toBe(3);
  putRequest(queue, cancel(submit('withdrawn', 10), 30), 30);
  expect(countAhead(queue, last, 30)).toBe(2);
  expect(countAhead(queue, last, 105)).toBe(1);
  expect(countAhead(queue, last, 115)).toBe(0);
});

test('what is under way in a scope ends with its requests', () => {
  const queue = createQueue();
  for (const id of ['a', 'b']) putRequest(queue, submit(id), 0);
  putRequest(queue, submit('c', 0, { scope: 'user:x' }), 0);
  expect(countUnderWay(queue, 'workspace:one', 0)).toBe(2);
  putRequest(queue, cancel(submit('a'), 10), 10);
  expect(countUnderWay(queue, 'workspace:one', 10)).toBe(1);
  expect(countUnderWay(queue, 'workspace:one', 300)).toBe(0);
});

test('a request is found by its own scope under its own model, for one day', () => {
  const queue = createQueue();
  putRequest(queue, submit('a'), 0);
  const wanted = { id: 'a', modelId: 'p/m', scope: 'workspace:one' };
  expect(findRequest(queue, wanted, 10)?.id).toBe('a');
  expect(findRequest(queue, { ...wanted, scope: 'workspace:two' }, 10)).toBeUndefined();
  expect(findRequest(queue, { ...wanted, modelId: 'p/other' }, 10)).toBeUndefined();
  expect(findRequest(queue, { ...wanted, id: 'b' }, 10)).toBeUndefined();
  expect(findRequest(queue, wanted, dayMs - 1)?.id).toBe('a');
  expect(findRequest(queue, wanted, dayMs)).toBeUndefined();
});

test('old requests are let go of when new ones come', () => {
  const queue = createQueue();
  for (const id of ['a', 'b']) putRequest(queue, submit(id), 0);
  putRequest(queue, submit('c', dayMs), dayMs);
  expect([...queue.requests.keys()]).toEqual(['c']);
});
