import { expect, test } from 'vitest';
import { inProcessExchanger } from './in-process-exchanger.ts';

const request = {
  method: 'POST',
  url: 'http://app.test/a',
  headers: [['X-A', '1']] as const,
  body: new TextEncoder().encode('in'),
};

test('a request reaches the function and its answer comes back', async () => {
  const fetch = async (asked: Request) =>
    new Response(`${asked.method} ${asked.headers.get('x-a')} ${await asked.text()}`, { status: 201 });
  const answer = await inProcessExchanger({ fetch })(request, 1_000);
  expect(answer).toMatchObject({ kind: 'response', status: 201, body: new TextEncoder().encode('POST 1 in') });
});

test('an answer that waits for the clock comes when the clock is moved', async () => {
  let nowMs = 0;
  let wake: () => void = () => undefined;
  const fetch = async () => {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    return new Response(`${nowMs}`);
  };
  const advance = (ms: number) => {
    nowMs += ms;
    if (nowMs >= 1_000) wake();
  };
  const exchange = inProcessExchanger({ fetch, advance });
  expect(await exchange(request, 10_000)).toMatchObject({ kind: 'response', body: new TextEncoder().encode('1000') });
});

test('an answer that never comes ends by the deadline of that clock', async () => {
  let movedMs = 0;
  const advance = (ms: number) => {
    movedMs += ms;
  };
  const exchange = inProcessExchanger({ fetch: () => new Promise(() => undefined), advance });
  expect(await exchange(request, 5_000)).toMatchObject({ kind: 'no-response', because: 'timeout' });
  expect(movedMs).toBeGreaterThanOrEqual(5_000);
});

test('a function that throws is a reset connection', async () => {
  const fetch = () => Promise.reject(new Error('cut'));
  expect(await inProcessExchanger({ fetch })(request, 1_000)).toMatchObject({ because: 'reset', detail: 'cut' });
});
