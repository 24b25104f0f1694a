import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFileKeyStore } from '../src/node/file-key-store.ts';
import { queued, submit, subscribe } from '../src/queue/index.ts';
import { forget, listPending, resume } from '../src/resume/index.ts';
import { createMemoryKeyStore } from '../src/router/key-store.ts';
import {
  admitted,
  catchFailure,
  createClient,
  createModelRouter,
  id,
  input,
  onlyPending,
  queueState,
  type Router,
  requestId,
  secret,
  serveScripts,
} from './router-under-test.ts';
import { manualClock, type Reply, routerError } from './scripted-server.ts';

const server = serveScripts();
const root = mkdtempSync(join(tmpdir(), 'results-'));
afterAll(() => rmSync(root, { recursive: true }));
const keys = (): unknown[] => server().seen.map(({ headers }) => headers['idempotency-key']);
const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const;
const recordsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
const html = { body: '<html>Wait</html>', headers: { 'content-type': 'text/html' } };
const model = { id, outputMediaTypes: ['application/json'], types: undefined as never } as const;

describe('a result', () => {
  it("a result with settle: 'manual' stays pending until settle() is called, and can be fetched again", async () => {
    server().script({ body: { images: ['a'] } });
    const { router } = createClient(server());
    const result = await router.run(id, input, { settle: 'manual' });
    const call = await onlyPending(router);
    expect(call).toMatchObject({ idempotencyKey: result.idempotencyKey, isHeld: false });
    const again = await resume(router, call, { model: id, settle: 'manual' });
    const images: string[] = again.mayBeUnconverted ? [] : again.data.images;
    expect([images, new Set(keys()).size]).toEqual([['a'], 1]);
    expect(await listPending(router)).toHaveLength(1);
    await result.settle();
    await result.settle();
    expect(await listPending(router)).toEqual([]);
  });

  const manual = { settle: 'manual' } as const;
  it.each([
    ['subscribe', (router: Router) => subscribe(router, id, input, manual)],
    [
      'its id',
      async (router: Router) => {
        await submit(router, id, input);
        return queued(router, id, requestId).result(manual);
      },
    ],
  ])('a result of the queue that is collected by %s can be settled manually', async (_, collect) => {
    const body = queueState(server(), 'COMPLETED');
    server().script(admitted(server()), ({ url }) => ({ body: url.endsWith('/s') ? body : {} }));
    const { router } = createClient(server());
    const { settle } = await collect(router);
    expect(await listPending(router)).toHaveLength(1);
    await settle();
    expect(await listPending(router)).toEqual([]);
  });

  it('settle rejects with an explanation if the store fails', async () => {
    const store = createMemoryKeyStore({ clock: manualClock() });
    server().script({ body: {} });
    const { router } = createClient(server(), { keyStore: store });
    const { settle } = await router.run(id, input, { settle: 'manual' });
    store.finish = async () => {
      throw new Error('the disk is full');
    };
    const error = await catchFailure(settle());
    expect(error).toMatchObject({
      kind: 'local',
      message: expect.stringMatching(/the key store failed: the disk is full$/),
    });
  });

  it('resume rejects a model other than that of the stored call', async () => {
    server().script('reset');
    const { router } = createClient(server());
    await catchFailure(router.run(id, input));
    const call = await onlyPending(router);
    const error = await catchFailure(resume(router, call, { model: { id: 'a/b' } }));
    expect(error.message).toContain('for image-provider/still, not for a/b');
    expect(await listPending(router)).toHaveLength(1);
  });
});

describe('a stream', () => {
  const start = async (reply: Reply) => {
    server().script(reply);
    const { router } = createClient(server());
    const { response, settle } = await router.run(id, input, { as: 'stream' });
    return { router, response, settle, reader: (response.body ?? expect.unreachable('no body')).getReader() };
  };

  it('settles a stream that was read completely', async () => {
    const { router, reader } = await start({ body: 'x'.repeat(1000) });
    expect(await listPending(router)).toEqual([]); // This program is still reading the stream.
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.length;
    expect(size).toBe(1000);
    await router.run(id, input);
    expect(new Set(keys()).size).toBe(2);
    expect(await listPending(router)).toEqual([]);
  });

  it('a call whose stream broke off stays pending, and repeating it with its key returns the result', async () => {
    const { router, reader } = await start({ body: 'x'.repeat(1000), truncate: true });
    await expect(
      (async () => {
        for (let part = await reader.read(); !part.done; ) part = await reader.read();
      })(),
    ).rejects.toThrow('no response');
    server().script({ body: {} });
    const call = await onlyPending(router);
    await router.run(id, input, { idempotencyKey: call.idempotencyKey });
    expect(keys()).toEqual([call.idempotencyKey]);
  });

  it('a call whose output stream was cancelled stays pending until settle() is called', async () => {
    const { router, reader, settle } = await start({ body: 'x'.repeat(1000) });
    await reader.cancel();
    expect(await listPending(router)).toHaveLength(1);
    await settle();
    expect(await listPending(router)).toEqual([]);
  });
});

describe('a proxy page instead of the output', () => {
  const anonymous = { 'x-service-request-id': '' };
  const page: Reply = { body: '<html>Wait</html>', headers: { 'content-type': 'text/html', ...anonymous } };
  const plain: Reply = { body: 'try later', headers: { 'content-type': 'text/plain', ...anonymous } };
  const unnamed: Reply = { body: 'try later', headers: {} };
  const pages: [name: string, target: { id: string; outputMediaTypes?: string[] }, reply: Reply][] = [
    ['HTML', model as never, page],
    ['plain text', model as never, plain],
    ['HTML from a model without documented media types', { id }, page],
    ['plain text from a model that documents any media type', { id, outputMediaTypes: ['*/*'] }, plain],
    ['text without a media type from a model that only documents JSON', model as never, unnamed],
  ];
  it.each(pages)(
    'keeps the idempotency key if a proxy page arrives instead of the output, so that a repeated call gets the output: %s',
    async (_, target, reply) => {
      server().script(reply);
      const { router } = createClient(server());
      const error = await catchFailure(router.run(target, input));
      expect(error).toMatchObject({ kind: 'decode', status: 200, mayBeBilled: true, attempts: 4 });
      const { bytes } = error as { bytes?: Uint8Array };
      expect(new TextDecoder().decode(bytes)).toBe((reply as { body: string }).body);
      expect(await listPending(router)).toMatchObject([{ idempotencyKey: error.idempotencyKey }]);
      server().script(reply, { body: { images: ['a'] } });
      const again = router.run(target, input, { idempotencyKey: error.idempotencyKey });
      expect(await again).toMatchObject({ data: { images: ['a'] } });
    },
  );

  it.each(pages.slice(0, 4))(
    'result() and resume() request the output again if a proxy page arrives instead: %s',
    async (_, target, reply) => {
      server().script(reply, { body: { images: ['a'] } });
      const { router } = createClient(server());
      expect((await queued(router, target, requestId).result()).data).toEqual({ images: ['a'] });
      server().script('reset');
      await catchFailure(router.run(target, input));
      server().script(reply, { body: { images: ['b'] } });
      const resumed = await resume(router, await onlyPending(router), { model: target });
      expect(resumed.data).toEqual({ images: ['b'] });
    },
  );

  it('requests a stream again if a proxy page arrives instead', async () => {
    server().script(page, { body: {} });
    await createClient(server()).router.run(model, input as never, { as: 'stream' });
    expect(new Set(keys()).size).toBe(1);
    expect(keys()).toHaveLength(2);
  });
});

describe('an output of another media type than is documented', () => {
  const webp: Exclude<Reply, string> = { body: Buffer.from([1, 2]), headers: { 'content-type': 'image/webp' } };
  const unnamed: Reply = { ...webp, headers: { ...webp.headers, 'x-service-request-id': '' } };
  const taken: [name: string, target: object, options: object, reply: Reply, mediaType: string][] = [
    ['another image', { id, outputMediaTypes: ['image/png'] }, {}, webp, 'image/webp'],
    // OP-240
    ['an image without a request id', { id, outputMediaTypes: ['image/png'] }, {}, unnamed, 'image/webp'],
    ['JSON in place of an image', { id, outputMediaTypes: ['image/png'] }, {}, { body: { a: 1 } }, 'application/json'],
    ['HTML with the request id of the router', model, {}, html, 'text/html'],
    ['HTML from a model that documents text', { id, outputMediaTypes: ['text/*'] }, {}, html, 'text/html'],
    ['text from a different provider', model, { modelProvider: 'other' }, html, 'text/html'],
  ];
  it.each(taken)(
    'delivers an output with an undocumented media type: %s',
    async (_, target, options, reply, mediaType) => {
      server().script(reply);
      expect(await createClient(server()).router.run(target as { id: string }, input, options)).toMatchObject({
        mediaType,
      });
      expect(server().seen).toHaveLength(1);
    },
  );
});

describe('a body without an end', () => {
  const endless = (): Response => {
    const chunk = new Uint8Array(64 * 1024);
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    return new Response(body, { headers: { 'content-type': 'application/json' } });
  };

  it('an endless body is requested only once, and the error names the key and suggests a stream', async () => {
    let calls = 0;
    const fetch = async (): Promise<Response> => {
      calls += 1;
      return endless();
    };
    const { router } = createClient(server(), { fetch, maxResponseBytes: 1_000_000 });
    const error = await catchFailure(router.run(id, input));
    expect(error).toMatchObject({ kind: 'decode', isRetryable: false, mayBeBilled: true, attempts: 1 });
    expect(error.message).toContain(
      `longer than maxResponseBytes (1000000); as: 'stream' collects it with the key ${error.idempotencyKey}`,
    );
    expect(await listPending(router)).toHaveLength(1);
    expect(calls).toBe(1);
    const collected = await router.run(id, input, { as: 'stream', idempotencyKey: error.idempotencyKey });
    expect(collected.idempotencyKey).toBe(error.idempotencyKey);
  });

  it('limits the size of a body after decompression', async () => {
    const body = gzipSync(JSON.stringify({ images: ['x'.repeat(2_000_000)] }));
    expect(body.length).toBeLessThan(10_000);
    server().script({ body, headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } });
    const { router } = createClient(server(), { maxResponseBytes: 1_000_000 });
    expect(await catchFailure(router.run(id, input))).toMatchObject({ kind: 'decode' });
    expect((await createClient(server()).router.run(id, input)).data.images[0]).toHaveLength(2_000_000);
  });
});

describe('a connection that was never made', () => {
  const startTls = async (more: object): Promise<string> => {
    const fixture = (name: string): string =>
      readFileSync(join(import.meta.dirname, '../../generator/tests/fixtures', name), 'utf8');
    const options = { cert: fixture('self-signed.pem'), key: fixture('self-signed.key.pem'), ...more };
    const tls = createServer(options).listen(0, '127.0.0.1');
    onTestFinished(() => void tls.close());
    await once(tls, 'listening');
    return `https://localhost:${(tls.address() as AddressInfo).port}`; // it listens on a port
  };
  it.each([
    ['https to a port that only serves http', () => server().url.replace('http:', 'https:'), /\(ERR_SSL_\w+\)\.$/],
    ['a blocked port', () => 'http://127.0.0.1:6000', /\(bad port\)\.$/],
    ['an untrusted certificate', () => startTls({}), /server \(DEPTH_ZERO_SELF_SIGNED_CERT\)\.$/],
    ['an old TLS version', () => startTls(old), /server \(ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION\)\.$/],
  ])('reports a connection that was never made as unbilled and does not retry: %s', async (_, start, code) => {
    server().script({});
    const router = createModelRouter({ baseUrl: await start(), apiKey: secret });
    const error = await catchFailure(router.run(id, input));
    expect(error).toMatchObject({ kind: 'network', mayBeBilled: false, isRetryable: false, attempts: 1 });
    expect(error.message).toMatch(code);
    expect(await listPending(router)).toHaveLength(0);
  });
});

describe('a credential that is a word of the API', () => {
  it('an API key that equals an error category does not change how errors are handled, and is never shown', async () => {
    server().script(routerError(429, 'concurrency_limit_exceeded', { 'retry-after': '1' }), { body: {} });
    const { router, clock } = createClient(server(), { apiKey: 'concurrency_limit_exceeded' });
    await router.run(id, input);
    expect(clock.slept).toEqual([1000]);
    server().script(routerError(400, 'invalid_input'));
    const error = await catchFailure(createClient(server(), { apiKey: 'invalid_input' }).router.run(id, input));
    expect(error).toMatchObject({ kind: 'router', category: { known: 'invalid_input' }, mayBeBilled: false });
    expect(error.message).toContain('[redacted]');
    expect(error.message).not.toContain('invalid_input');
  });
});

describe('a URL that repeats the credential', () => {
  it('uses the documented URL instead of one that contains the credential, which is never stored or shown', async () => {
    const folder = join(root, 'addresses');
    const { router } = createClient(server(), { keyStore: createFileKeyStore(folder) });
    const state = queueState(server(), 'WAITING', { response_url: `${server().url}/r?key=${secret}` });
    server().script({ status: 201, body: state }, { status: 202, body: state });
    const handle = await submit(router, id, input);
    const failure = await catchFailure(handle.result({ deadlineMs: 400 }));
    for (const name of recordsIn(folder)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(secret);
    expect(JSON.stringify([failure, failure.queued, handle.addresses])).not.toContain(secret);
    server().script({ body: {} });
    await queued(router, id, requestId).result();
    expect(server().seen.map(({ url }) => url)).toEqual([`/v2/models/${id}/requests/${requestId}`]);
    expect(await listPending(router)).toEqual([]);
  });
});

describe('a record that cannot be read', () => {
  it('a damaged record blocks calls with its key, is listed with the reason, and can be removed', async () => {
    const folder = join(root, 'damaged');
    const { router } = createClient(server(), { keyStore: createFileKeyStore(folder) });
    const options = { idempotencyKey: 'order-1' };
    server().script('reset');
    await catchFailure(router.run(id, input, options));
    for (const name of recordsIn(folder)) writeFileSync(join(folder, name), 'half');
    server().script({ body: {} });
    const call = await onlyPending(router);
    expect(call).toMatchObject({ damaged: expect.any(String), isOwn: false });
    const error = await catchFailure(router.run(id, input, options));
    expect(error).toMatchObject({ kind: 'local', attempts: 0, mayBeBilled: false });
    expect(error.message).toContain(`forget(router, '${call.idempotencyKey}') removes it`);
    expect((await catchFailure(resume(router, call))).kind).toBe('local');
    expect(server().seen).toEqual([]);
    await router.run(id, input); // Without the damaged key, the call starts another run.
    await forget(router, call.idempotencyKey);
    await router.run(id, input, options);
    expect(server().seen).toHaveLength(2);
  });
});
