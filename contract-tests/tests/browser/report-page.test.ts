import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxCredentials, sandboxJobs } from '../../../sandbox/src/index.ts';
import { serveSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { httpPorts, renderFiles, runConformance, type Target } from '../../src/index.ts';
import { withComparison } from '../../src/report/compare.ts';
import { createReport, failed, passed } from '../../src/report/fixtures/example-report.ts';
import { hostileReport } from '../../src/report/fixtures/hostile-report.ts';
import { renderHtml } from '../../src/report/render-html.ts';
import { type Browser, openBrowser, type Page } from './open-browser.ts';
import { collectProblems, findPageProblems } from './open-page.ts';

const fault = 'catalog.list.request-id-missing';
const failing = 'passive.header.request-id-everywhere';
const folder = mkdtempSync(join(tmpdir(), 'report-page-'));
let address = '';
const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
let browser: Browser;
let ruleCount = 0;

beforeAll(async () => {
  const server = await serveSandbox({ faults: [fault] });
  const { specs } = server;
  closing.push(server.close);
  const { router, workflow } = sandboxCredentials;
  const target: Target = {
    kind: 'sandbox',
    router: { url: server.url, credentials: router },
    workflow: { url: server.url, credentials: workflow, jobs: sandboxJobs },
  };
  const rules = ['catalog.{list,page,limit}.*', 'model.*', 'workflow.job.*', 'passive.header.*'];
  const report = await runConformance({ target, specs, rules }, httpPorts(target));
  ruleCount = report.results.length;
  const text = (await renderFiles(report, target))['report.html'] ?? '';
  writeFileSync(join(folder, 'report.html'), text);
  address = pathToFileURL(join(folder, 'report.html')).href;
  browser = await openBrowser();
  closing.push(() => browser.close());
}, 60_000);

afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

async function openReport(settings: Parameters<Browser['newContext']>[0] = {}, url = address): Promise<Page> {
  const context = await browser.newContext(settings);
  const page = await context.newPage();
  const problems = collectProblems(page, /^(?!http)/);
  await page.goto(url);
  expect(problems).toEqual([]);
  return page;
}

const shownRules = (page: Page) => page.locator('details.rule:visible').evaluateAll((all) => all.map(({ id }) => id));

test('the report page filters rules by outcome, family and words', async () => {
  const page = await openReport();
  const all = (await shownRules(page)).length;
  await page.getByLabel('Outcome', { exact: true }).selectOption('failed');
  expect(await shownRules(page)).toContain(failing);
  expect((await shownRules(page)).length).toBeLessThan(5);
  await page.getByLabel('Outcome', { exact: true }).selectOption('');
  await page.getByLabel('Concern', { exact: true }).selectOption('Workflows');
  const ofWorkflows = await shownRules(page);
  expect(ofWorkflows.length).toBeGreaterThan(0);
  expect(ofWorkflows.every((id) => id.startsWith('workflow.'))).toBe(true);
  await page.getByLabel('Concern', { exact: true }).selectOption('');
  await page.getByLabel('Search (press /)').fill('MR-CAT-13 clamped');
  expect(await shownRules(page)).toEqual(['catalog.limit.above-hundred-is-clamped']);
  expect(await page.getByRole('status').textContent()).toBe(`1 of ${all} rules`);
  await page.close();
});

test('the curl command of a finding reproduces the fault at the server', async () => {
  const page = await openReport();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // Only with the keyboard: open the cause, follow the link to its rule, press the button.
  await page.locator('details.cause summary').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: failing }).focus();
  await page.keyboard.press('Enter');
  const rule = page.locator(`[id="${failing}"]`);
  await rule.locator('.finding').first().waitFor({ state: 'visible' });
  expect(await rule.textContent()).toContain('MR-HDR-01 (section');
  const button = rule.getByRole('button', { name: 'Copy', exact: true }).first();
  await button.focus();
  await page.keyboard.press('Enter');
  await rule.getByRole('button', { name: 'Copied' }).waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  expect(line).toMatch(/^curl .*\$\{SWITCHYARD_API_KEY\}/);
  const env = { PATH: process.env['PATH'], SWITCHYARD_API_KEY: sandboxCredentials.router.main };
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
  expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
  expect(stdout).toContain('"data":');
  expect(stdout.toLowerCase()).not.toContain('x-service-request-id');
  await page.close();
});

test('the report page is accessible and no wider than the window, on a desktop in light and a phone in dark colours', async () => {
  const page = await openReport();
  await page.locator('details').evaluateAll((all) => all.map((one) => one.setAttribute('open', '')));
  for (const [colorScheme, width] of [
    ['light', 1_280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect({ width, found: await findPageProblems(page) }).toEqual({ width, found: [] });
  }
  await page.close();
});

test('the report page marks the wrong place in a response and cites the violated sentence', async () => {
  const page = await openReport();
  const cause = page.locator('details.cause').first();
  expect(await cause.locator('mark').allTextContents()).toEqual(['(no header X-Service-Request-Id)']);
  expect(await cause.locator('blockquote').first().textContent()).toContain('X-Service-Request-Id');
  await page.close();
});

test('the report page shows new, fixed and lasting findings in tabs, which the keyboard selects, and prints all tabs', async () => {
  const file = join(folder, 'compared.html');
  const earlier = createReport([failed('a.lasting'), failed('a.fixed'), passed('a.new')]);
  const now = createReport([failed('a.lasting'), passed('a.fixed'), failed('a.new')]);
  writeFileSync(file, renderHtml(withComparison(now, earlier)));
  const page = await openReport({}, pathToFileURL(file).href);
  const shown = () => page.locator('.panel:visible').evaluateAll((all) => all.map(({ id }) => id));
  expect(await shown()).toEqual(['new']);
  await page.getByRole('tab', { name: 'new (1)' }).press('ArrowRight');
  expect(await shown()).toEqual(['fixed']);
  expect(await page.getByRole('tabpanel').textContent()).toContain('a.fixed');
  await page.getByRole('tab', { name: 'lasting (1)' }).click();
  expect(await shown()).toEqual(['lasting']);
  await page.emulateMedia({ media: 'print' });
  expect(await shown()).toEqual(['new', 'fixed', 'lasting']);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await shownRules(page)).toEqual(['a.lasting', 'a.new']);
  expect(await page.locator('details.cause .finding').isVisible()).toBe(true);
  await page.close();
});

test('the report page focuses its search when / is pressed, and can be read without JavaScript', async () => {
  const page = await openReport();
  await page.keyboard.press('/');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('search');
  await page.close();
  const plain = await openReport({ javaScriptEnabled: false });
  expect(await plain.locator('details.rule').count()).toBe(ruleCount);
  expect(await plain.locator('#controls').isVisible()).toBe(false);
  await plain.close();
});

test('the report page shows text from a hostile target as text, and executes none of it', async () => {
  const file = join(folder, 'hostile.html');
  writeFileSync(file, renderHtml(hostileReport));
  const page = await openReport({}, pathToFileURL(file).href);
  await page.locator('details').evaluateAll((all) => all.map((one) => one.setAttribute('open', '')));
  expect(await page.locator('script').count()).toBe(1);
  expect(await page.locator('img, iframe, [onload], [onerror], [onfocus], a[href^="http"]').count()).toBe(0);
  expect(await page.locator('details.rule').first().textContent()).toContain('</script><script>alert(1)</script>');
  await page.getByLabel('Search (press /)').fill('a.two');
  expect(await shownRules(page)).toEqual(['a.two']);
  await page.close();
});
