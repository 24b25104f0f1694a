import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { createFileKeyStore } from '../src/node/index.ts';
import { submit } from '../src/queue/index.ts';
import {
  admitted,
  catchFailure,
  createClient,
  createModelRouter,
  id,
  input,
  serveScripts,
} from './router-under-test.ts';

const server = serveScripts();
const folder = mkdtempSync(join(tmpdir(), 'client-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const apiKey = 'sk-Live_9f3Q7eXxT21vB08s';
const notations: readonly (readonly [name: string, text: string])[] = [
  ['plain', apiKey],
  ['in hex', Buffer.from(apiKey).toString('hex')],
  ['in base64', btoa(`user:${apiKey}`)],
  ['percent-encoded in base64', btoa(apiKey.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`))],
];

/** Removes the first and the last characters, which in base64 may also encode the text before or after. */
const core = (text: string): string => text.slice(10, -6);

it.each(notations)('no error contains a key %s after a chunk that cannot be read', async (_, text) => {
  const broken = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', () => {
        const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
        socket.write(`${head}6\r\n{"a":\n\r\n${text}\r\n${text}`);
      });
  });
  await new Promise<void>((ready) => broken.listen(0, '127.0.0.1', ready));
  const address = broken.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const router = createModelRouter({ baseUrl: `http://127.0.0.1:${port}`, apiKey });
  const errors = [await catchFailure(router.run(id, input, { deadlineMs: 300 }))];
  const { data } = await router.run(id, input, { as: 'stream' });
  errors.push(await catchFailure(new Response(data as ReadableStream).text()));
  broken.close();
  expect(inspect(errors, { depth: 20, showHidden: true }) + JSON.stringify(errors)).not.toContain(core(text));
});

it.each(notations)('a request id that repeats the key %s is neither stored nor shown', async (_, text) => {
  const keyStore = createFileKeyStore(folder);
  server().script(admitted(server(), { request_id: text }), { body: { images: ['a'] } });
  const { router } = createClient(server(), { apiKey, keyStore });
  const error = await catchFailure(submit(router, id, input));
  expect(error).toMatchObject({ kind: 'decode', mayBeBilled: true });
  const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${name} ${readFileSync(join(folder, name), 'utf8')}`);
  expect(kept.length).toBeGreaterThan(0); // The stored call, which has no request id.
  expect([...kept, inspect(error, { depth: 20, showHidden: true })].join('\n')).not.toContain(core(text));
});
