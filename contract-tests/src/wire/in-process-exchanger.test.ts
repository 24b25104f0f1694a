import { expect, test } from 'vitest';
import { type Handle, inProcessExchanger } from './in-process-exchanger.ts';

const request = {
  method: 'POST',
  url: 'http://app.test/a',
  headers: [['X-A', '1']] as const,
  body: new TextEncoder().encode('in'),
};

const reply = (body: string) => ({ status: 200, headers: {}, body });

test('calls the handler with the request and returns its reply', async () => {
  const handle: Handle = async ({ method, target, headers, body }) => ({
    status: 201,
    headers: { 'X-B': '2' },
    body: `${method} ${target} ${headers['x-a']} ${new TextDecoder().decode(body)}`,
  });
  const body = new TextEncoder().encode('POST /a 1 in');
  const response = await inProcessExchanger(handle, () => undefined)(request, 1_000);
  expect(response).toEqual({ kind: 'response', status: 201, headers: [['x-b', '2']], body });
});

test.each([
  ['HTTP/1.1 304 Not Modified\r\ncontent-length: 0\r\n\r\n', { kind: 'response', status: 304 }],
  ['HTTP/1.1 304 Not Modified\r\n\r\n{}', { status: 304, body: new TextEncoder().encode('{}') }],
  [
    'HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\n\r\nhi',
    {
      headers: [
        ['X-A', '1'],
        ['x-a', '2'],
      ],
    },
  ],
  ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\ncut', { because: 'reset' }],
  ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nlonger', { because: 'malformed' }],
])('interprets the raw reply %j like a socket', async (bytes, expected) => {
  const handle: Handle = async () => ({ ...reply('not this one'), raw: new TextEncoder().encode(bytes) });
  expect(await inProcessExchanger(handle, () => undefined)(request, 1_000)).toMatchObject(expected);
});

test.each([
  ['HEAD', 200],
  ['GET', 304],
])('drops the body of a reply to %s with %i', async (method, status) => {
  const handle: Handle = async () => ({ ...reply('dropped'), status });
  const response = await inProcessExchanger(handle, () => undefined)({ ...request, method, body: undefined }, 1_000);
  expect(response).toMatchObject({ status, body: new Uint8Array() });
});

test('advances the clock while an in-process handler waits', async () => {
  let nowMs = 0;
  let wake: () => void = () => undefined;
  const handle: Handle = async () => {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    return reply(`${nowMs}`);
  };
  const advance = (ms: number) => {
    nowMs += ms;
    if (nowMs >= 1_000) wake();
  };
  const exchange = inProcessExchanger(handle, advance);
  expect(await exchange(request, 10_000)).toMatchObject({ kind: 'response', body: new TextEncoder().encode('1000') });
});

test("times out at the deadline on the target's clock if there is no reply", async () => {
  let movedMs = 0;
  const advance = (ms: number) => {
    movedMs += ms;
  };
  const exchange = inProcessExchanger(() => new Promise(() => undefined), advance);
  expect(await exchange(request, 5_000)).toMatchObject({ kind: 'no-response', because: 'timeout' });
  expect(movedMs).toBeGreaterThanOrEqual(5_000);
});

test('reports a reset connection if the handler throws', async () => {
  const handle = () => Promise.reject(new Error('cut'));
  expect(await inProcessExchanger(handle, () => undefined)(request, 1_000)).toMatchObject({
    because: 'reset',
    detail: 'cut',
  });
});
