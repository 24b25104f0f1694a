import { expect, test } from 'vitest';
import { testSpecs } from '../../tests/test-sandbox.ts';
import { createSandbox } from '../sandbox.ts';
import { sandboxCredentials } from './authentication.ts';

const headers = { 'X-API-Key': sandboxCredentials.router.main };
const outcomes = 'http://sandbox.test/v2/models/sandbox/outcomes';
const openSandbox = () => createSandbox({ specs: testSpecs, clock: 'manual' });

test('the sandbox’s fetch accepts the same arguments as the global fetch', async () => {
  const fetch: typeof globalThis.fetch = openSandbox().fetch;
  const run = { method: 'POST', headers, body: '{"outcome":"echo"}' };
  for (const call of [
    () => fetch(outcomes, run),
    () => fetch(new URL(outcomes), run),
    () => fetch(new Request(outcomes, run)),
    () => fetch(new Request(outcomes, { headers }), { method: 'POST', body: run.body }),
  ]) {
    expect(await (await call()).json()).toMatchObject({ received: { text: run.body } });
  }
});

test.each([
  ['a URL without an origin', () => openSandbox().fetch('/v2/models')],
  ['a GET with a body', () => openSandbox().fetch(outcomes, { headers, body: '{}' })],
  [
    'a body that was already sent',
    async () => {
      const request = new Request(outcomes, { method: 'POST', headers, body: '{}' });
      await request.text();
      return openSandbox().fetch(request);
    },
  ],
])('the sandbox’s fetch rejects %s like the global fetch', async (_, call) => {
  await expect(call()).rejects.toThrow(TypeError);
});

test('the sandbox’s fetch does not dispatch a request that was aborted before it was sent', async () => {
  const sandbox = openSandbox();
  const reason = new Error('changed my mind');
  const call = sandbox.fetch(outcomes, { method: 'POST', headers, body: '{}', signal: AbortSignal.abort(reason) });
  await expect(call).rejects.toBe(reason);
  expect(sandbox.ledger()).toMatchObject({ dispatches: 0, clientDisconnects: 0 });
});

test('the sandbox’s fetch replies to HEAD with a Content-Length, but without a body', async () => {
  const { fetch } = openSandbox();
  const run = await fetch('http://sandbox.test/v2/models/image-provider/still-2.1', {
    method: 'POST',
    headers,
    body: '{"prompt":"fog"}',
  });
  const [link = ''] = /http:[^"]+\/__assets\/[^"]+/.exec(await run.text()) ?? [];
  const [head, whole] = [await fetch(link, { method: 'HEAD' }), await fetch(link)];
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(head.headers.get('content-length')).toBe(String((await whole.arrayBuffer()).byteLength));
});
