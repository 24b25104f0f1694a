import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSandbox, listen, type Sandbox } from '../../../sandbox/src/index.ts';
import { runProgram } from '../../../scripts/cli/program.ts';
import { fakeIo } from '../../../scripts/tests/fake-io.ts';
import { type OpenSandbox, serveSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { type Browser, openBrowser, type Page } from './open-browser.ts';
import { collectProblems, findPageProblems } from './open-page.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-'));
const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
const model = 'image-provider/still-2.1';
const other = 'video-provider/frame';
const poll = <Value>(read: () => Value) => expect.poll(read, { timeout: 10_000 });
const hostile = '<img src=x onerror=alert(1)>';
let sandbox: Sandbox;
let server: OpenSandbox;
let browser: Browser;

beforeAll(async () => {
  const timings = { waitingMs: 60_000, runningMs: 60_000 };
  server = await serveSandbox({ timings });
  ({ sandbox } = server);
  browser = await openBrowser();
  closing.push(server.close, () => browser.close());
}, 60_000);

beforeEach(() => sandbox.reset());

afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

async function openConsole(
  settings: Parameters<Browser['newContext']>[0] = {},
  url = server.url,
): Promise<{ page: Page; problems: readonly string[] }> {
  const page = await (await browser.newContext(settings)).newPage();
  const problems = collectProblems(page, new RegExp(`^${url}/__sandbox/`));
  await page.goto(`${url}/__sandbox/`);
  await page.getByText('live', { exact: true }).waitFor();
  await page.getByText('faults that are off').waitFor();
  return { page, problems };
}

const submit = (key: string, path = model) =>
  fetch(`${server.url}/v2/models/${path}/requests`, {
    method: 'POST',
    headers: { 'X-API-Key': sandbox.credentials.router.main, 'Idempotency-Key': key },
    body: JSON.stringify({ prompt: 'a harbour' }),
  });

const rows = (page: Page, id: string) => page.locator(`#${id} tr`).allTextContents();

test('the console shows the request, the outcome and the bill of a run, and the age of its idempotency key', async () => {
  const { page, problems } = await openConsole();
  expect((await submit('harbour-1')).status).toBe(201);
  const request = page.locator('#exchanges details').first();
  await page.getByText('201', { exact: true }).waitFor();
  expect(await request.textContent()).toContain('submitRequest');
  await request.locator('summary').click();
  expect(await request.textContent()).toContain('idempotency-keyharbour-1');
  expect(await request.textContent()).not.toContain(sandbox.credentials.router.main);
  expect(await request.textContent()).toContain('x-api-key[redacted]');
  await poll(() => rows(page, 'bills')).toEqual([expect.stringMatching(/harbour-1waitingopen$/)]);
  await page.getByRole('button', { name: '+1 h' }).click();
  await poll(() => rows(page, 'bills')).toEqual([expect.stringMatching(/mainharbour-1succeededbilled$/)]);
  expect(await page.locator('#runs').textContent()).toContain('succeeded · waited 1 min · ran 1 min');
  expect(await rows(page, 'keys')).toEqual(['harbour-1workspace:workspace-one1 h110']);
  await page.getByRole('button', { name: '+25 h' }).click();
  await poll(() => rows(page, 'keys')).toEqual([expect.stringContaining('1 d 2 h, expired')]);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the console switches on a fault, which a check of the sandbox then detects', async () => {
  const { page, problems } = await openConsole();
  const id = 'model.unknown.answered-with-400';
  await page.getByLabel('Find a fault').fill('unknown model answered');
  await page.getByLabel(id).check();
  await page.locator('#on').getByText('MR-MOD-09: ').waitFor();
  const io = fakeIo({ workingFolder: folder });
  const rule = ['--rule', 'model.unknown.is-not-found'];
  const code = await runProgram(['conform', '--target', 'sandbox', '--router-url', server.url, ...rule], io);
  expect([code, io.written.out]).toEqual([1, expect.stringMatching(/model\.unknown\.is-not-found[\s\S]*400/)]);
  await page.locator('#exchanges summary', { hasText: 'GET /v2/models/' }).first().waitFor();
  await page.getByLabel(id).uncheck();
  await poll(() => page.locator('#on li').count()).toBe(0);
  expect(await (await fetch(`${server.url}/__sandbox/faults`)).json()).toEqual({ faults: [], variants: [] });
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the console fails the next call of an operation, and removes unused scripted failures', async () => {
  const { page, problems } = await openConsole();
  const script = async (): Promise<void> => {
    await page.getByLabel('Operation').selectOption('submitRequest');
    await page.getByRole('combobox', { name: 'Failure' }).selectOption('service_unavailable');
    await page.getByRole('button', { name: 'Fail the next call' }).click();
    await page.getByText('submitRequest: service_unavailable').waitFor();
  };
  await script();
  expect((await submit('harbour-2')).status).toBe(503);
  await poll(() => page.locator('#scripted li').count()).toBe(0);
  await script();
  await page.getByRole('button', { name: 'Remove all' }).click();
  await poll(() => page.locator('#scripted li').count()).toBe(0);
  expect((await submit('harbour-2')).status).toBe(201);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the console shows hostile texts of callers as text', async () => {
  const { page, problems } = await openConsole();
  await submit(hostile, encodeURIComponent(hostile));
  await submit('x"><script>alert(1)</script>');
  await page.locator('#bills').getByText('<script>').waitFor();
  await page.locator('#exchanges summary').last().click();
  expect(await page.locator('#exchanges').textContent()).toContain(hostile);
  expect(await page.locator('img, body script').count()).toBe(0);
  expect(problems).toEqual([]);
  await page.context().close();
});

test('the console reconnects to a restarted sandbox', async () => {
  const first = createSandbox({ clock: 'manual' });
  const own = await listen(first);
  const page = await browser.newPage();
  await page.goto(`${own.url}/__sandbox/`);
  await fetch(`${own.url}/v2/models/one/of-the-first`);
  await page.getByText('one/of-the-first').waitFor();
  await own.close();
  const second = createSandbox({ clock: 'manual' });
  const again = await listen(second, { port: Number(new URL(own.url).port) });
  await poll(() => page.getByText('one/of-the-first').count()).toBe(0);
  await page.close();
  await again.close();
  first.close();
  second.close();
});

/** Sends calls with every outcome that the page shows in its own colour. */
async function makeTraffic({ url, sandbox: own }: OpenSandbox): Promise<void> {
  const call = (method: string, path: string, key?: string, prompt = 'a harbour') => {
    const headers = { 'X-API-Key': own.credentials.router.main, ...(key && { 'Idempotency-Key': key }) };
    return fetch(`${url}/v2/models${path}`, { method, headers, ...(key && { body: JSON.stringify({ prompt }) }) });
  };
  await call('GET', '?limit=3');
  await call('POST', `/${model}/requests`, 'order-1041');
  own.clock.advance('5m');
  await call('POST', `/${model}`, 'order-1042');
  await call('POST', `/${model}`, 'order-1042');
  await call('POST', `/${model}`, 'order-1042', 'another harbour');
  const submitted: { status_url: string; cancel_url: string } = await (
    await call('POST', `/${other}/requests`, 'order-1043')
  ).json();
  own.clock.advance('20s');
  await fetch(submitted.cancel_url, { method: 'PUT', headers: { 'X-API-Key': own.credentials.router.main } });
  await call('POST', `/${model}/requests`, 'order-1044');
  own.clock.advance('80s');
  await call('POST', `/${model}/requests`, 'order-1045');
  await call('GET', '/image-provider/no-such-model');
  own.clock.advance('12s');
}

test('the console is accessible and no wider than the window, on a desktop in light and a phone in dark colours', async () => {
  const at = await serveSandbox({ timings: { waitingMs: 60_000, runningMs: 60_000 } });
  await makeTraffic(at);
  const { page, problems } = await openConsole({}, at.url);
  await page.getByLabel('Find a fault').fill('detail billing');
  await page.getByLabel('model.detail.billing-differs', { exact: true }).check();
  await page.locator('#on li').waitFor();
  await page.locator('#exchanges summary').last().click();
  await page.locator('#exchanges').evaluate((list) => list.scrollTo(0, 0));
  await page.evaluate(() => scrollTo(0, 0));
  for (const [colorScheme, width] of [
    ['light', 1_280],
    ['dark', 390],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect({ width, found: await findPageProblems(page), problems }).toEqual({ width, found: [], problems: [] });
  }
  await page.context().close();
  await at.close();
});

test('other origins cannot use the console, and its files are together smaller than 60 kB', async () => {
  const at = (path: string, headers: Record<string, string>) => fetch(`${server.url}/__sandbox/${path}`, { headers });
  const html = { Accept: 'text/html' };
  const files = await Promise.all(['', 'page.css', 'page.js'].map((path) => at(path, html)));
  const bytes = await Promise.all(files.map(async (file) => (await file.arrayBuffer()).byteLength));
  expect(bytes.reduce((sum, one) => sum + one)).toBeLessThan(60_000);
  expect(files[0]?.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(files[0]?.headers.get('access-control-allow-origin')).toBeNull();
  expect((await at('look.css', {})).status).toBe(404);
  const refused = [
    { Origin: 'http://page.test' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'iframe' },
    { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Dest': 'empty' },
  ];
  for (const headers of refused) expect((await at('events', headers)).status).toBe(403);
  expect((await at('', { ...html, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': 'document' })).status).toBe(200);
});
