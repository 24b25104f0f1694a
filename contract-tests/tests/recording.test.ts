import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createSandbox, listen, sandboxCredentials } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings, type EffectiveSpecs } from '../../specs/src/index.ts';
import { checkRecorded, exitCodeOf, type RecordingProxy, readHar, startRecordingProxy } from '../src/index.ts';
import { catalog } from './sandbox-under-test.ts';

const key = sandboxCredentials.router.main;
let specs: EffectiveSpecs;
let outDir: string;
const ends: (() => unknown)[] = [];
beforeAll(async () => {
  specs = await buildEffectiveSpecs(defaultSpecSettings);
  outDir = mkdtempSync(join(tmpdir(), 'recording-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(() => rmSync(outDir, { recursive: true }));

async function sandboxBehind(faults: readonly string[] = []): Promise<RecordingProxy> {
  const sandbox = createSandbox({ specs, catalog, faults, timings: { waitingMs: 20, runningMs: 20 } });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  ends.push(() => server.close());
  return proxyTo(server.url, server.url);
}

async function proxyTo(router: string, workflow?: string): Promise<RecordingProxy> {
  const proxy = await startRecordingProxy({ urls: { router, ...(workflow === undefined ? {} : { workflow }) } });
  ends.push(() => proxy.close());
  return proxy;
}

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  ends.push(() => server.closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };

/** What an end-to-end test of a client does: list, run, submit, poll and collect, each by the URLs that it is given. */
async function useClient(proxy: RecordingProxy): Promise<unknown> {
  await (await fetch(`${proxy.url}/v2/models?limit=3`, { headers })).arrayBuffer();
  const model = `${proxy.url}/v2/models/sandbox/outcomes`;
  const run = await fetch(model, { method: 'POST', headers, body: '{"outcome":"echo"}' });
  await run.arrayBuffer();
  const submitted = await fetch(`${model}/requests`, { method: 'POST', headers, body: '{"size_bytes":10}' });
  const handle: { status_url: string; response_url: string; cancel_url: string } = await submitted.json();
  for (const url of [handle.status_url, handle.response_url, handle.cancel_url]) expect(url).toContain(proxy.url);
  for (let status = ''; status !== 'COMPLETED'; ) {
    const reply = await fetch(handle.status_url, { headers });
    const body: { status: string; response_url: string } = await reply.json();
    expect(body.response_url).toBe(handle.response_url);
    status = body.status;
  }
  return (await fetch(handle.response_url, { headers })).json();
}

const bases = (proxy: RecordingProxy): { router: string } => {
  const first = proxy.exchanges[0]?.request.url ?? '';
  return { router: first.slice(0, first.indexOf('/v2/')) };
};

test('a client that conforms passes, and its recording can be checked again', async () => {
  const proxy = await sandboxBehind();
  expect(await useClient(proxy)).toMatchObject({ outcome: 'succeed', padding: 'xxxxxxxxxx' });
  const urls = bases(proxy);
  const report = await checkRecorded({ exchanges: proxy.exchanges, urls, specs, keepsTraffic: true }, outDir);
  expect(exitCodeOf(report)).toBe(0);
  expect(report.counts.passed).toBeGreaterThan(10);
  const har = readFileSync(join(outDir, 'recording.har'), 'utf8');
  const result = readFileSync(join(outDir, 'result.json'), 'utf8');
  for (const text of [har, result]) expect(text).not.toContain(key);
  const { exchanges, urls: found, leftOut } = readHar(har, {});
  expect([found, leftOut, exchanges.length]).toEqual([urls, 0, proxy.exchanges.length]);
  const again = await checkRecorded({ exchanges, urls, specs, keepsTraffic: false }, outDir);
  expect(again.counts).toEqual(report.counts);
});

test('a defect of the server is found in traffic that is not the gate’s own', async () => {
  const proxy = await sandboxBehind(['submit.handle.position-negative']);
  await useClient(proxy).catch(() => undefined);
  const recorded = { exchanges: proxy.exchanges, urls: bases(proxy), specs, keepsTraffic: false };
  expect(exitCodeOf(await checkRecorded(recorded, outDir))).toBe(1);
});

const binary = new Uint8Array(300_000).map((_, index) => (index * 31) % 256);

test.each([
  ['binary', { 'content-type': 'image/png' }, Buffer.from(binary)],
  ['compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, gzipSync('{"a":"é"}')],
])('a %s body passes to the byte with its headers', async (_, served, body) => {
  const upstream = await serve((request, response) => {
    request.resume();
    response.writeHead(200, { ...served, 'content-length': body.length, 'X-Mixed-Case': 'kept' }).end(body);
  });
  const direct = await rawBytes(upstream);
  const proxied = await rawBytes((await proxyTo(upstream)).url);
  expect(proxied).toEqual(direct);
});

async function rawBytes(base: string): Promise<unknown> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(`${base}/v2/models/a/b`, { agent: false }, (reply) => {
      const pieces: Buffer[] = [];
      reply.on('data', (piece: Buffer) => pieces.push(piece));
      reply.on('end', () => {
        const lines = reply.rawHeaders.filter(
          (line) => !/^(?:date|connection|close|keep-alive|.* GMT|timeout=\d+)$/i.test(line),
        );
        resolve({ status: reply.statusCode, lines, body: Buffer.concat(pieces).toString('base64') });
      });
    })
      .on('error', reject)
      .end();
  });
}

test('a stream arrives while it is sent', async () => {
  let goOn = (): void => undefined;
  const upstream = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
    goOn = () => response.end('data: 2\n\n');
  });
  const proxy = await proxyTo(upstream);
  const reader = (await fetch(`${proxy.url}/v2/models/a/b`)).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n');
  expect(proxy.exchanges).toEqual([]);
  goOn();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 2\n\n');
});

test.each([
  ['hangs up', (request: Parameters<RequestListener>[0]) => request.socket.destroy(), 502],
  ['sends no HTTP', (request: Parameters<RequestListener>[0]) => request.socket.end('nonsense\r\n\r\n'), 502],
])('a server that %s costs its call and no more', async (_, misbehave, status) => {
  let calls = 0;
  const upstream = await serve((request, response) => {
    calls += 1;
    if (calls === 1) misbehave(request);
    else response.end('{}');
  });
  const proxy = await proxyTo(upstream);
  expect((await fetch(`${proxy.url}/v2/models`)).status).toBe(status);
  expect((await fetch(`${proxy.url}/v2/models`)).status).toBe(200);
  expect(proxy.exchanges.map(({ result }) => result.kind)).toEqual(['no-response', 'response']);
});

test('a body above the bound passes and is not kept', async () => {
  const upstream = await serve((request, response) => {
    request.resume();
    const piece = Buffer.alloc(1024 * 1024, 120);
    response.writeHead(200);
    for (let sent = 0; sent < 40; sent += 1) response.write(piece);
    response.end();
  });
  const proxy = await proxyTo(upstream);
  const reply = await fetch(`${proxy.url}/v2/models/a/b`);
  expect((await reply.arrayBuffer()).byteLength).toBe(40 * 1024 * 1024);
  expect([proxy.exchanges.length, proxy.unrecorded()]).toEqual([0, 1]);
});

test('a page of a browser under another name is refused', async () => {
  const upstream = await serve((_, response) => response.end('{}'));
  const proxy = await proxyTo(upstream);
  const { request } = await import('node:http');
  const status = await new Promise((resolve) => {
    request(`${proxy.url}/v2/models`, { headers: { Host: 'rebound.example' } }, (reply) =>
      resolve(reply.statusCode),
    ).end();
  });
  expect(status).toBe(403);
});

test.each(['', '{}', '[1]', '{"log":{"entries":3}}', 'not json'])('%j is no HAR', (text) => {
  expect(() => readHar(text, {})).toThrow('no HAR');
});
