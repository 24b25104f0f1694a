import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIndexedDbKeyStore } from '../../../runtime/src/browser/index.ts';
import { createKeyStore, type KeyRecords } from '../../../runtime/src/key-store/index.ts';
import { keyRecordsTests } from '../../../runtime/tests/key-records-tests.ts';
import { keyStoreTests } from '../../../runtime/tests/key-store-tests.ts';
import { createModelRouter } from '../../../runtime/tests/router-under-test.ts';
import { manualClock } from '../../../runtime/tests/scripted-server.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { type LocalServer, serveLocally } from '../local-servers.ts';
import { type Browser, openBrowser, type Page } from './open-browser.ts';

const source = join(packageRoot(), 'runtime/src');
/** Script of the page, which makes the names that the tests use global. */
const program = `
import { createIndexedDbKeyStore } from '${source}/browser/index.ts';
import { createIndexedDbRecords } from '${source}/browser/indexed-db-key-store.ts';
import { listPending, resume } from '${source}/resume/index.ts';
import { createModelRouterFor } from '${source}/router/create-router.ts';
const model = { id: 'image-provider/still-2.1' };
const createModelRouter = createModelRouterFor({ brand: 'Service', apiKeyHeader: 'X-API-Key' });
const router = createModelRouter({ baseUrl: location.origin, token: 'session', keyStore: createIndexedDbKeyStore() });
Object.assign(globalThis, { createIndexedDbRecords, listPending, model, resume, router });`;

let browser: Browser;
let server: LocalServer;
let script: string;
/** The idempotency keys of the runs that the server started, and the responses that it holds back. */
const runs: string[] = [];
const held: (() => void)[] = [];

beforeAll(async () => {
  const stdin = { contents: program, loader: 'ts', resolveDir: source } as const;
  const built = await build({ stdin, bundle: true, format: 'esm', platform: 'browser', write: false });
  script = built.outputFiles[0]?.text ?? '';
  server = await serveLocally((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><link rel="icon" href="data:,"><script type="module">${script}</script>`);
      return;
    }
    const key = `${request.headers['idempotency-key']}`;
    const isNew = !runs.includes(key);
    if (isNew) runs.push(key);
    const answer = () => response.setHeader('content-type', 'application/json').end(JSON.stringify({ key, isNew }));
    // The first response for a key that starts with `slow` is never sent.
    request.resume().on('end', () => (isNew && key.startsWith('slow') ? held.push(answer) : answer()));
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForFunction('globalThis.router !== undefined');
  return page;
}

/** Returns records whose methods call the records of a page. */
function remoteRecords(page: Page, name: string): KeyRecords {
  const call =
    (method: keyof KeyRecords) =>
    (...args: unknown[]) =>
      page.evaluate(
        ([database, called, values]) =>
          Object(globalThis)
            .createIndexedDbRecords(database)
            [called](...values),
        [name, method, args] as const,
      );
  return { list: call('list'), add: call('add'), update: call('update'), hold: call('hold'), remove: call('remove') };
}

describe('the records of a page', () => {
  let page: Page;
  let count = 0;
  beforeAll(async () => {
    page = await openTab(await browser.newContext());
  });
  const create = (): KeyRecords => remoteRecords(page, `calls-${count++}`);
  test.each(keyRecordsTests)('IndexedDB records in a page: $name', ({ run }) => run(create));
  test.each(keyStoreTests)('an IndexedDB key store: $name', ({ run }) =>
    run(() => createKeyStore(create(), { clock: manualClock() })),
  );

  test('if several tabs add or hold the same IndexedDB record at once, only one of them succeeds', async () => {
    const records = [page, await openTab(page.context())].map((tab) => remoteRecords(tab, 'shared'));
    const record = { key: 'k1', text: 't', holder: 'a 1' };
    const results = async (work: (one: KeyRecords, at: number) => Promise<boolean>): Promise<number> =>
      (await Promise.all(Array.from({ length: 20 }, (_, at) => work(records[at % 2] ?? create(), at)))).filter(Boolean)
        .length;
    expect(await results((one) => one.add(record))).toBe(1);
    expect(await results((one, at) => one.hold('k1', `b${at} 2`, 'a 1'))).toBe(1);
  });
});

describe('the IndexedDB key store after a page is closed', () => {
  const run = (key: string) => `router.run(model, { prompt: 'a' }, { idempotencyKey: '${key}' }).then((r) => r.data)`;
  const pending = `listPending(router).then((calls) => calls.map(({ idempotencyKey, isOwn }) => [idempotencyKey, isOwn]))`;

  test('a reopened page collects the run of the closed page, which is billed once', async () => {
    const context = await browser.newContext();
    const first = await openTab(context);
    void first.evaluate(run('slow-1')).catch(() => undefined);
    await expect.poll(() => runs).toContain('slow-1');
    await first.close();
    const second = await openTab(context);
    expect(await second.evaluate(pending)).toEqual([['slow-1', true]]);
    const resumed = 'listPending(router).then(([call]) => resume(router, call)).then((result) => result.data)';
    expect(await second.evaluate(resumed)).toEqual({ key: 'slow-1', isNew: false });
    expect(await second.evaluate(pending)).toEqual([]);
    expect(await second.evaluate(run('slow-1'))).toEqual({ key: 'slow-1', isNew: false });
    expect(runs.filter((key) => key === 'slow-1')).toHaveLength(1);
    const text = await second.evaluate(`createIndexedDbRecords('model-router-calls').list().then(JSON.stringify)`);
    expect(text).not.toMatch(/session|prompt/);
    await context.close();
  });

  test('the first call with an IndexedDB key store removes inputs older than a day and records older than 30 days', async () => {
    const context = await browser.newContext();
    const page = await openTab(context);
    const records = remoteRecords(page, 'model-router-calls');
    const hour = 60 * 60 * 1000;
    for (const [idempotencyKey, age] of Object.entries({ today: 23, yesterday: 25, lastMonth: 31 * 24 })) {
      const request = { operation: 'run', model: 'a/b', url: 'https://a/b', body: 'the input', owner: 'a' } as const;
      const firstSentAt = Date.now() - age * hour;
      await createKeyStore(records).begin({ ...request, idempotencyKey, firstSentAt, isExplicit: true });
    }
    await page.evaluate(run('new'));
    const list = async () => (await records.list()).map(({ key, text }) => [key, text?.includes('the input')]);
    const left = [
      ['new', false],
      ['today', true],
      ['yesterday', false],
    ];
    await expect.poll(list).toEqual(left);
    await context.close();
  });

  test('the IndexedDB key store still works after another page has deleted the database', async () => {
    const context = await browser.newContext();
    const [one, other] = [await openTab(context), await openTab(context)];
    expect(await one.evaluate(run('before'))).toMatchObject({ isNew: true });
    const remove = `new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase('model-router-calls');
      Object.assign(request, { onsuccess: () => resolve('deleted'), onblocked: reject, onerror: reject });
    })`;
    expect(await other.evaluate(remove)).toBe('deleted');
    expect(await one.evaluate(run('after'))).toMatchObject({ isNew: true });
    await context.close();
  });
});

test('on a platform without IndexedDB, a call with an IndexedDB key store is rejected before it is sent', async () => {
  const sent: string[] = [];
  const router = createModelRouter({
    ...{ baseUrl: 'https://router.example', token: 'session' },
    keyStore: createIndexedDbKeyStore(),
    fetch: async (url) => {
      sent.push(`${url}`);
      return Response.json({});
    },
  });
  const refused = await router.run({ id: 'a/b' }, {}).catch((error: Error) => error);
  expect(`${refused}`).toContain('this platform has no IndexedDB: omit keyStore, or use a different key store');
  expect(sent).toEqual([]);
});
