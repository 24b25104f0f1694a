import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../../specs/src/index.ts';
import { type Browser, openBrowser, type Page } from '../browser/open-browser.ts';
import { serveLocally } from '../local-servers.ts';
import { mustRun } from './project.ts';

// Builds the documentation site, where a dead link fails, and looks in Chromium at each page of its sidebar: no serious finding of
// axe in light and dark, nothing wider than a phone, no request to another host, no link of the site that is not answered, and a
// search that finds. `--pictures DIR` keeps pictures.
const { values: options } = parseArgs({ options: { pictures: { type: 'string' } } });
const dist = join(packageRoot(), 'docs/site/dist');
const sidebarFile = join(packageRoot(), 'docs/site/pages/sidebar.json');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const looks = [
  { name: 'desktop-light', width: 1280, colorScheme: 'light' },
  { name: 'phone-dark', width: 390, colorScheme: 'dark' },
] as const;
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

function placeFile(pathname: string): string {
  const path = normalize(pathname);
  return join(dist, path.endsWith('/') ? `${path}index.html` : path);
}

const isServed = (pathname: string): boolean => existsSync(placeFile(pathname));

function sendFile(request: IncomingMessage, response: ServerResponse): void {
  const path = placeFile(new URL(request.url ?? '/', 'http://site').pathname);
  try {
    const bytes = readFileSync(path);
    response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'text/html' }).end(bytes);
  } catch {
    response.writeHead(404).end();
  }
}

/** The first page and those of the sidebar. */
function listPages(): string[] {
  const sidebar: { items: { link: string }[] }[] = JSON.parse(readFileSync(sidebarFile, 'utf8'));
  return ['index', ...sidebar.flatMap(({ items }) => items.map(({ link }) => link.replace(/^\/|\.md$/g, '')))];
}

type Violation = { id: string; impact: string; nodes: { html: string }[] };

async function findPageProblems(page: Page, url: string): Promise<string[]> {
  const { origin } = new URL(url);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  const response = await page.goto(url, { waitUntil: 'networkidle' });
  await page.evaluate(axe);
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ html }) => ({ html })) })))`,
  );
  const width = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  const links = await page.evaluate<string[]>('[...document.links].map(({ href }) => href.split("#")[0])');
  return [...new Set(links.filter((link) => link.startsWith(origin) && !isServed(new URL(link).pathname)))]
    .map((link) => `links to ${link}, which is not there`)
    .concat([
      ...(response?.status() === 200 ? [] : [`answered ${response?.status()}`]),
      ...(width > 0 ? [`is ${width} pixels wider than the window`] : []),
      ...elsewhere.map((address) => `requests ${address}`),
      ...violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `axe ${id}: ${nodes.length} places, such as ${nodes[0]?.html.slice(0, 200)}`),
    ]);
}

async function searchProblems(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.keyboard.press('/');
  await page.locator('.VPLocalSearchBox input').fill('no-retry-after');
  const first = page.locator('.VPLocalSearchBox .result').first();
  const text = await first.textContent({ timeout: 10_000 }).catch(() => '');
  await page.close();
  return text?.toLowerCase().includes('fault') ? [] : [`the search for a fault finds ${text || 'nothing'}`];
}

async function look(browser: Browser, url: string, looked: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, width, colorScheme } of looks) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    for (const path of looked) {
      const page = await context.newPage();
      const found = await findPageProblems(page, `${url}/${path}.html`);
      problems.push(...found.map((problem) => `${path} (${name}): ${problem}`));
      if (options.pictures !== undefined)
        await page.screenshot({ path: join(options.pictures, `${path.replace('/', '-')}-${name}.png`) });
      await page.close();
    }
    await context.close();
  }
  return problems;
}

const { output } = await mustRun('npm run --silent docs', packageRoot());
process.stdout.write(`${output.trim().split('\n').at(-1)}\n`);
const site = await serveLocally(sendFile);
const browser = await openBrowser();
const looked = listPages();
try {
  const problems = [...(await look(browser, site.url, looked)), ...(await searchProblems(browser, site.url))];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(`site: ${looked.length} pages looked at in ${looks.length} ways, ${problems.length} problems\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await browser.close();
  await site.close();
}
