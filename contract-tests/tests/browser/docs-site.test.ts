import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate, namePackages, nodePorts, writeSite } from '../../../generator/src/index.ts';
import { createFakeRouter, modelDocument, routerUrl } from '../../../generator/tests/fake-router.ts';
import { configureGeneration } from '../../../scripts/tests/with-sandbox.ts';
import { buildEffectiveSpecs } from '../../../specs/src/index.ts';
import { type Browser, openBrowser, type Page } from './open-browser.ts';
import { collectProblems, findPageProblems } from './open-page.ts';

const count = 400;
const folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
const site = join(folder, 'site');
const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
const { resolve } = createRequire(import.meta.url);
const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(2)>{{id}}`;
const hostilePage = 'models/provider-0/~3csvg~20onload~3dalert~281~29~3e.html';
let browser: Browser;

const modalities = ['text', 'image', 'video'];
const ids = [
  ...Array.from({ length: count - 1 }, (_, index) => `provider-${index % 20}/model-${index}`),
  'provider-0/<svg onload=alert(1)>',
];

/** Makes a document with descriptions of sixty characters, the average of real documents. */
function makeDocument(id: string): object {
  const isHostile = id.includes('<');
  const index = ids.indexOf(id);
  const description = isHostile ? hostile : `Makes a picture number ${index} of a harbour, or of a light over the sea.`;
  const x = { type: 'string', description, default: description, minLength: 1, maxLength: 4_000 };
  const size = { type: 'object', properties: { width: { type: 'integer', minimum: 1 }, kind: { enum: ['a', 'b'] } } };
  const view = { type: 'object', properties: { angle: { type: 'integer', minimum: 1, maximum: 360 } } };
  const input = {
    type: 'object',
    required: ['prompt'],
    properties: { prompt: x, size: { $ref: '#/components/schemas/Size' }, view },
  };
  const media = { image: 'https://media.test/boat.png' };
  return modelDocument(id, {
    input: { ...input, example: { prompt: description } },
    content: { 'application/json': { schema: size, example: media } },
    components: { Size: size },
    root: {
      info: { title: isHostile ? hostile : `Model ${index}`, description, version: '1' },
      'x-service-router-input-modalities': isHostile ? [hostile] : [modalities[index % 3]],
      'x-service-router-output-modalities': ['image'],
    },
  });
}

beforeAll(async () => {
  const { http } = createFakeRouter(Object.fromEntries(ids.map((id) => [id, makeDocument(id)])));
  const served = { url: routerUrl, specs: buildEffectiveSpecs() };
  const folders = { outDir: join(folder, 'packages'), cacheDir: join(folder, 'cache') };
  const source = { ...configureGeneration(served, folders, 'check'), packageNames: namePackages('@acme') };
  const ports = { ...nodePorts(), http };
  // All other models are new since these packages.
  await generate({ ...source, mode: 'write', only: ['provider-0/model-0'] }, ports);
  const renderer = readFileSync(resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  const look = { name: 'Harbour models', colour: '#0a6e5c', logo: undefined, since: '2026-10-12' };
  const report = await writeSite({ source, outDir: site, renderer, look }, ports);
  expect(report).toMatchObject({ models: count, failed: [], refused: [] });
  browser = await openBrowser();
  closing.push(() => browser.close());
}, 180_000);

afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

async function openAt(
  path: string,
  settings: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; problems: readonly string[] }> {
  const page = await (await browser.newContext(settings)).newPage();
  const problems = collectProblems(page, /^(?:file|data|blob):/);
  const [file = '', field = ''] = path.split('#');
  await page.goto(`${pathToFileURL(join(site, file)).href}#${field}`);
  return { page, problems };
}

const shownIds = (page: Page) => page.locator('#models a').evaluateAll((all) => all.map((one) => one.textContent));

test('the start page of a documentation site and its index are together smaller than 100 kB', () => {
  const files = ['index.html', 'assets/index.js', 'assets/site.js', 'assets/site.css'];
  const bytes = files.reduce((sum, file) => sum + statSync(join(site, file)).size, 0);
  expect(bytes).toBeLessThan(100_000);
});

test.each([
  ['an id', 'MODEL-12 provider-12', 'provider-12/model-12'],
  ['a title', 'model 398', 'provider-18/model-398'],
  ['a description', 'number 300 harbour', 'provider-0/model-300'],
  ['a provider and a modality', 'provider-19/ video', 'provider-19/model-119'],
])('the search of a documentation site finds a model by %s', async (_what, words, first) => {
  const { page } = await openAt('index.html');
  await page.getByLabel('Search (press /)').fill(words);
  expect((await shownIds(page))[0]).toBe(first);
  await page.close();
});

test('a documentation site can be used without a mouse', async () => {
  const { page, problems } = await openAt('index.html');
  await page.keyboard.press('/');
  await page.keyboard.type('harbour');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key);
  const second = (await shownIds(page))[1];
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(second);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: second ?? '' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Search (press /)').inputValue()).toBe('harbour');
  await page.getByLabel('Takes').selectOption('video');
  expect(await page.getByRole('status').textContent()).toBe('133 of 400 models');
  expect((await shownIds(page)).length).toBe(100);
  await page.getByRole('button', { name: 'Show more' }).click();
  expect((await shownIds(page)).length).toBe(133);
  expect(problems).toEqual([]);
  await page.close();
});

test('the Copy button on the page of a model copies the code that calls the model', async () => {
  const { page, problems } = await openAt('models/provider-5/model-5.html');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('createModelRouter().run(model, {');
  await page.getByRole('link', { name: 'Size', exact: true }).first().click();
  expect(await page.evaluate(() => location.hash)).toBe('#type-Size');
  expect(problems).toEqual([]);
  await page.close();
});

/** Opens all schemas and samples of responses, which the renderer only shows on demand. */
async function openResponses(page: Page): Promise<void> {
  await page.locator('#api h1').first().waitFor();
  await page.locator('#api button').evaluateAll((all) => {
    for (const button of all) if (button instanceof HTMLElement) button.click();
  });
  await page.getByText('Response Schema').first().waitFor();
}

const pages = [
  'index.html',
  'models/provider-5/model-5.html',
  hostilePage,
  'changes.html',
  'api/workflow-execution.html',
];
test.each([
  ['on a desktop in light colours', { colorScheme: 'light', viewport: { width: 1_280, height: 800 } }],
  ['on a phone in dark colours', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
] as const)(
  'a documentation site is accessible %s, is no wider than the window, and sends no requests',
  async (_, settings) => {
    for (const path of pages) {
      const { page, problems } = await openAt(path, settings);
      if (path.startsWith('api/')) await openResponses(page);
      if (path === 'index.html') await page.locator('.group summary').first().click();
      // The sections of changes.html look alike, and axe takes seconds for hundreds of them.
      await page.locator('section:nth-of-type(n + 30)').evaluateAll((sections) => {
        for (const section of sections) section.remove();
      });
      const found = await findPageProblems(page);
      expect({ path, found, problems }).toEqual({ path, found: [], problems: [] });
      await page.close();
    }
  },
);

test('the index of a documentation site lists providers with their number of models, and lists the models of a provider on demand', async () => {
  const { page, problems } = await openAt('index.html');
  const groups = page.locator('.group');
  expect(await groups.count()).toBe(20);
  expect(await groups.nth(1).locator('summary').textContent()).toContain('20 models');
  expect(await page.locator('#models a, .group a').count()).toBe(0);
  await groups.nth(1).locator('summary').click();
  await groups.nth(1).getByRole('link', { name: 'model-1', exact: true }).waitFor();
  expect(await groups.nth(1).getByRole('link').count()).toBe(20);
  expect(problems).toEqual([]);
  await page.close();
});

test('a link to a field of a collapsed schema opens the schema', async () => {
  const { page } = await openAt('models/provider-5/model-5.html#input.view.angle');
  await page.getByText('1 to 360').waitFor();
  expect(await page.getByText('1 to 360').isVisible()).toBe(true);
  await page.close();
});

test('a documentation site shows hostile text from documents as text, and executes none of it', async () => {
  const { page, problems } = await openAt('index.html');
  await page.getByLabel('Search (press /)').fill('svg');
  await page.locator('#models a').click();
  await page.getByRole('heading', { name: 'Input', exact: true }).waitFor();
  expect(decodeURIComponent(page.url()).endsWith(hostilePage)).toBe(true);
  expect(await page.locator('img, svg, [onload], [onerror]').count()).toBe(0);
  expect(await page.locator('main').textContent()).toContain(hostile);
  expect(problems).toEqual([]);
  await page.close();
});

test('the index of a documentation site lists all models without JavaScript', async () => {
  const { page } = await openAt('index.html', { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'All models on one page' }).click();
  await page.waitForURL(/models\/index\.html$/, { waitUntil: 'load' });
  expect(await page.locator('#content li').count()).toBe(count);
  await page.close();
});
