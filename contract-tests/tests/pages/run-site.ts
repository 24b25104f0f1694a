import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import { type Browser, openBrowser } from '../browser/open-browser.ts';
import { collectProblems, findPageProblems } from '../browser/open-page.ts';
import { serveLocally } from '../local-servers.ts';
import { mustRun } from './project.ts';

// Builds the documentation site, which fails for a dead link, and opens each page of its sidebar in Chromium. Checks that axe finds
// nothing serious in light and dark colours, that pages fit on a phone, have no error and request no other host, and that the search works.
const dist = join(packageRoot(), 'docs/site/dist');
const sidebarFile = join(packageRoot(), 'docs/site/pages/sidebar.json');
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

function sendFile(request: IncomingMessage, response: ServerResponse): void {
  const path = normalize(new URL(request.url ?? '/', 'http://site').pathname);
  try {
    const bytes = readFileSync(join(dist, path.endsWith('/') ? `${path}index.html` : path));
    response.writeHead(200, { 'Content-Type': types[extname(path)] ?? 'text/html' }).end(bytes);
  } catch {
    response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
  }
}

/** Lists the start page and the pages of the sidebar. */
function listPages(): string[] {
  const sidebar: { items: { link: string }[] }[] = JSON.parse(readFileSync(sidebarFile, 'utf8'));
  return ['index', ...sidebar.flatMap(({ items }) => items.map(({ link }) => link.replace(/^\/|\.md$/g, '')))];
}

async function checkPages(browser: Browser, url: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const [colorScheme, width] of [
    ['light', 1_280],
    ['dark', 390],
  ] as const) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    for (const path of paths) {
      const page = await context.newPage();
      const problems = collectProblems(page, new RegExp(`^(?:${url}|data:)`));
      await page.goto(`${url}/${path}.html`, { waitUntil: 'networkidle' });
      found.push(...[...problems, ...(await findPageProblems(page))].map((one) => `${path} (${colorScheme}): ${one}`));
      await page.close();
    }
    await context.close();
  }
  return found;
}

async function checkSearch(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage();
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.keyboard.press('/');
  await page.locator('.VPLocalSearchBox input').fill('no-retry-after');
  const first = page.locator('.VPLocalSearchBox .result').first();
  const text = (await first.textContent({ timeout: 10_000 }).catch(() => '')) ?? '';
  await page.close();
  return text.toLowerCase().includes('fault') ? [] : [`the search for a fault finds ${text || 'nothing'}`];
}

await mustRun('npm run --silent docs', packageRoot());
const site = await serveLocally(sendFile);
const browser = await openBrowser();
const paths = listPages();
try {
  const problems = [...(await checkPages(browser, site.url, paths)), ...(await checkSearch(browser, site.url))];
  process.stdout.write([...problems, `site: ${paths.length} pages, ${problems.length} problems\n`].join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await browser.close();
  await site.close();
}
