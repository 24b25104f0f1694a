import { getEventListeners, setMaxListeners } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../src/http/clock.ts';
import { queued } from '../src/queue/index.ts';
import { listPending } from '../src/resume/index.ts';
import { createModelRouter, id, input, requestId, secret } from './router-under-test.ts';

// The server writes the headers and a first part; each test decides how the response continues.
let goOn = (_response: ServerResponse): void => undefined;
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'audio/mpeg', 'x-service-request-id': 'request-1' });
  response.write('first');
  goOn(response);
});
let baseUrl = '';
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const connect = (options = {}) => createModelRouter({ baseUrl, apiKey: secret, clock: systemClock, ...options });
const readAll = (stream: ReadableStream): Promise<string> => new Response(stream).text();

it('ends a stream that sends nothing at the deadline of its call', async () => {
  goOn = () => undefined;
  const { data } = await connect().run(id, input, { as: 'stream', deadlineMs: 300 });
  await expect(readAll(data)).rejects.toMatchObject({ kind: 'timeout', deadlineMs: 300, mayBeBilled: true });
});

it('the error of a stream that sent bytes until the deadline does not say that it sent none', async () => {
  goOn = (response) => {
    const writing = setInterval(() => response.write('more'), 20);
    response.once('close', () => clearInterval(writing));
  };
  const { data } = await connect().run(id, input, { as: 'stream', deadlineMs: 300 });
  await expect(readAll(data)).rejects.toThrow(/not finished within 300 ms\. It may still run/);
});

it('ends a stream when the signal aborts', async () => {
  goOn = () => undefined;
  const stop = new AbortController();
  const { data } = await connect().run(id, input, { as: 'stream', signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(readAll(data)).rejects.toMatchObject({
    kind: 'aborted',
    mayBeBilled: true,
    cause: { message: 'enough' },
  });
});

it('closes the connection at the deadline if the stream is not read', async () => {
  const closed = new Promise((resolve) => {
    goOn = (response) => void response.once('close', () => resolve('closed'));
  });
  await connect().run(id, input, { as: 'stream', deadlineMs: 300 });
  expect(await Promise.race([closed, systemClock.sleep(5000)])).toBe('closed');
});

it('ends a stream without data after the idle timeout, with an explanation', async () => {
  goOn = () => undefined;
  const { data } = await queued(connect({ idleTimeoutMs: 200 }), id, requestId).result({ as: 'stream' });
  const error = await readAll(data).catch((cause: Error) => cause);
  expect(error).toMatchObject({ kind: 'timeout', deadlineMs: 200 });
  expect(String(error)).toContain('the stream sent no bytes');
});

it('a pause of the reader does not trigger the idle timeout', async () => {
  goOn = (response) => void setTimeout(() => response.end(' last'), 50);
  const { data } = await connect({ idleTimeoutMs: 200 }).run(id, input, { as: 'stream' });
  const reader = data.getReader();
  const first = await reader.read();
  await systemClock.sleep(500);
  const rest = await reader.read();
  expect([first, rest].map(({ value }) => new TextDecoder().decode(value)).join('')).toBe('first last');
});

it.each([
  ['is never read', async () => undefined, 100],
  ['is read in part, with a longer pause than the bound', async (data: ReadableStream) => data.getReader().read(), 100],
] as const)(
  'closes the connection of a stream that %s, and the same key collects it',
  async (_, use, idleTimeoutMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const closed = new Promise((resolve) => {
      goOn = (response) => void response.once('close', () => resolve('closed'));
    });
    const router = connect({ idleTimeoutMs });
    const { data, idempotencyKey } = await router.run(id, input, { as: 'stream' });
    await use(data);
    await vi.advanceTimersByTimeAsync(10 * 60_000 + 1);
    vi.useRealTimers();
    expect(await closed).toBe('closed');
    await expect.poll(() => listPending(router)).toMatchObject([{ idempotencyKey }]);
    goOn = (response) => response.end(' last');
    const again = await router.run(id, input, { as: 'stream', idempotencyKey });
    expect(await readAll(again.data)).toBe('first last');
    expect(await listPending(router)).toEqual([]);
  },
);

it('the error of a broken stream contains status and request id', async () => {
  goOn = (response) => void setTimeout(() => response.destroy(), 50);
  const { data } = await connect().run(id, input, { as: 'stream' });
  await expect(readAll(data)).rejects.toMatchObject({
    kind: 'network',
    mayBeBilled: true,
    status: 200,
    requestId: 'request-1',
  });
});

it('a stream may be billed as soon as it has started, even if its end looks like a failed connection', async () => {
  const end = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }); // For a first attempt, this code means that nothing was sent.
  const source = { pull: () => Promise.reject(end) };
  const fetch = async (): Promise<Response> => new Response(new ReadableStream(source, { highWaterMark: 0 }));
  const { data, idempotencyKey } = await connect({ fetch }).run(id, input, { as: 'stream' });
  const broken = readAll(data);
  await expect(broken).rejects.toMatchObject({ kind: 'network', mayBeBilled: true, idempotencyKey });
  await expect(broken).rejects.toThrow('It may still run and be billed');
});

it('many streams with one signal cause no leak warning', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  goOn = (response) => response.end(' last');
  const { signal } = new AbortController();
  setMaxListeners(10, signal); // as Node 20 has it by default
  const router = connect();
  const streams = Array.from({ length: 30 }, (_, index) =>
    router.run(id, { prompt: `${index}` }, { as: 'stream', signal }),
  );
  for (const { data } of await Promise.all(streams)) await readAll(data);
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

it('removes its listeners from a signal that many streams share', async () => {
  const { signal } = new AbortController();
  const router = connect();
  goOn = (response) => response.end(' last');
  for (let streams = 0; streams < 20; streams += 1) {
    const { data } = await router.run(id, { prompt: `${streams}` }, { as: 'stream', signal });
    if (streams % 2 === 0) await readAll(data);
    else await data.cancel();
  }
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
