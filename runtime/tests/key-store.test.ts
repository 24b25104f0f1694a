import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileKeyStore } from '../src/node/file-key-store.ts';
import { createModelRouterFor } from '../src/router/create-router.ts';
import { createMemoryKeyStore, type KeyStore, type StoredCall } from '../src/router/key-store.ts';

const root = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;
const folder = (): string => join(root, `store-${count++}`);

const call = (key: string, more: Partial<StoredCall> = {}): StoredCall => ({
  key,
  operation: 'run',
  model: 'image-provider/still',
  url: 'https://router.example/v2/models/image-provider/still',
  body: '{"prompt":"a"}',
  owner: 'owner-1',
  firstSentAt: 1,
  ...more,
});
const addresses = { requestId: 'r', statusUrl: 's', responseUrl: 'r', cancelUrl: 'c' };

const stores: [name: string, create: () => KeyStore][] = [
  ['memory', createMemoryKeyStore],
  ['a folder', () => createFileKeyStore(folder())],
];
describe.each(stores)('a key store in %s', (_, create) => {
  it('lists no call that somebody works on', async () => {
    const store = create();
    await store.begin(call('k1'), { adopt: true });
    expect(await store.pending()).toEqual([]);
    await store.release('k1');
    expect(await store.pending()).toEqual([call('k1')]);
  });

  it('adopts an identical call with an unknown outcome, once', async () => {
    const store = create();
    await store.begin(call('k1'), { adopt: true });
    await store.release('k1');
    expect((await store.begin(call('k2', { firstSentAt: 5 }), { adopt: true })).key).toBe('k1');
    expect((await store.begin(call('k3'), { adopt: true })).key).toBe('k3');
  });

  const others: [name: string, other: Partial<StoredCall>][] = [
    ['operation', { operation: 'submit' }],
    ['address', { url: 'https://router.example/v2/models/image-provider/still?strict_mode=true' }],
    ['body', { body: '{"prompt":"b"}' }],
    ['owner', { owner: 'owner-2' }],
  ];
  it.each(others)('adopts no call with another %s', async (_, other) => {
    const store = create();
    await store.begin(call('k1'), { adopt: true });
    await store.release('k1');
    expect((await store.begin(call('k2', other), { adopt: true })).key).toBe('k2');
  });

  it('keeps the addresses of an admitted request, which no call adopts', async () => {
    const store = create();
    await store.begin(call('k1'), { adopt: true });
    await store.admit('k1', addresses);
    await store.release('k1');
    expect(await store.pending()).toMatchObject([{ key: 'k1', queued: addresses }]);
    expect((await store.begin(call('k2'), { adopt: true })).key).toBe('k2');
  });

  it('forgets a finished call', async () => {
    const store = create();
    await store.begin(call('k1'), { adopt: true });
    await store.finish('k1');
    expect(await store.pending()).toEqual([]);
    expect(await store.take('k1')).toBeUndefined();
  });
});

describe('a key store in a folder', () => {
  it('writes files that only their owner can read', async () => {
    const path = folder();
    await createFileKeyStore(path).begin(call('k1'), { adopt: true });
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('leaves no file behind a finished call', async () => {
    const path = folder();
    const store = createFileKeyStore(path);
    await store.begin(call('k1'), { adopt: true });
    await store.release('k1');
    await store.take('k1');
    await store.finish('k1');
    expect(readdirSync(path)).toEqual([]);
  });

  it('leaves the call of another process as it is, also where both were given the same key', async () => {
    const path = folder();
    const [first, second] = [createFileKeyStore(path), createFileKeyStore(path)];
    await first.begin(call('k1'), { adopt: false });
    const other = call('k1', { body: '{"prompt":"b"}' });
    expect(await second.begin(other, { adopt: false })).toEqual(other);
    await second.release('k1');
    expect(await second.pending()).toEqual([]);
    await second.finish('k1');
    await first.release('k1');
    expect(await second.pending()).toEqual([call('k1')]);
    await second.finish('k1');
    expect(readdirSync(path)).toEqual([]);
  });

  it('leaves no draft of a killed process behind a finished call', async () => {
    const path = folder();
    const store = createFileKeyStore(path);
    await store.begin(call('k1'), { adopt: true });
    const name = readdirSync(path).find((one) => one.endsWith('.json'));
    writeFileSync(join(path, `${name}.1.draft`), 'half');
    await store.finish('k1');
    expect(readdirSync(path)).toEqual([]);
  });

  it('does not take a folder that cannot be read for an empty one', async () => {
    const path = folder();
    writeFileSync(path, 'a file');
    await expect(createFileKeyStore(path).pending()).rejects.toThrow('ENOTDIR');
  });

  it('holds no secret of a client', async () => {
    const path = folder();
    const options = { baseUrl: 'http://127.0.0.1:9', apiKey: 'secret-key-1', maxAttempts: 1 };
    const facts = { brand: 'Service', apiKeyHeader: 'X-API-Key' };
    const router = createModelRouterFor<object>(facts)({ ...options, keyStore: createFileKeyStore(path) });
    expect(await router.untyped.run('a/b', { prompt: 'p' }).catch(({ kind }) => kind)).toBe('network');
    const texts = readdirSync(path).map((name) => readFileSync(join(path, name), 'utf8'));
    expect(texts.join()).toContain('"body":"{\\"prompt\\":\\"p\\"}"');
    expect(texts.join()).not.toContain('secret-key-1');
  });

  it('gives a call to one of many that ask for it', async () => {
    const path = folder();
    const first = createFileKeyStore(path);
    await first.begin(call('k1'), { adopt: true });
    await first.release('k1');
    const taken = await Promise.all(Array.from({ length: 20 }, () => createFileKeyStore(path).take('k1')));
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
  });

  it('gives the call of a killed process to the next one', async () => {
    const path = folder();
    const program = `
      import { createFileKeyStore } from ${JSON.stringify(join(import.meta.dirname, '../src/node/file-key-store.ts'))};
      await createFileKeyStore(${JSON.stringify(path)}).begin(${JSON.stringify(call('k1'))}, { adopt: true });
      process.stdout.write('sent');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((sent) => child.stdout.once('data', sent));
    const store = createFileKeyStore(path);
    expect(await store.pending()).toEqual([]);
    const gone = new Promise((exited) => child.once('exit', exited));
    child.kill('SIGKILL');
    await gone;
    expect(await store.pending()).toEqual([call('k1')]);
    expect(await store.take('k1')).toEqual(call('k1'));
  });

  it('takes over a claim of another machine that was not renewed for a minute', async () => {
    const path = folder();
    await createFileKeyStore(path).begin(call('k1'), { adopt: true });
    const claim = join(path, readdirSync(path).find((name) => name.includes('.claim-')) ?? '');
    const old = new Date(Date.now() - 61_000);
    utimesSync(claim, old, old);
    expect(readFileSync(claim, 'utf8')).toContain(String(process.pid));
    expect(await createFileKeyStore(path).take('k1')).toEqual(call('k1'));
  });

  it('skips files that are no calls', async () => {
    const path = folder();
    const store = createFileKeyStore(path);
    await store.begin(call('k1'), { adopt: true });
    await store.release('k1');
    writeFileSync(join(path, 'broken.json'), '{"key":');
    writeFileSync(join(path, 'other.json'), '[]');
    const name = readdirSync(path).find((one) => one.endsWith('.json') && one.length > 20) ?? '';
    const { url: _, ...half } = call('k1');
    writeFileSync(join(path, name), JSON.stringify(half));
    expect(await store.pending()).toEqual([]);
    writeFileSync(join(path, name), JSON.stringify(call('k1')));
    expect(await store.pending()).toEqual([call('k1')]);
  });
});
