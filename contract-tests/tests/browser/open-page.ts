import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from './open-browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');

/** Returns the serious and critical violations that axe finds, and a line if the page is wider than its window. */
export async function findPageProblems(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations } = await Reflect.get(globalThis, 'axe').run({ preload: false });
    const excess = document.documentElement.scrollWidth - innerWidth;
    return violations
      .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => `${id}: ${nodes[0]?.html}`)
      .concat(excess > 0 ? [`${excess} pixels wider than the window`] : []);
  });
}

/** Collects errors, dialogs and requests to addresses that don't match `own` while a page is used. */
export function collectProblems(page: Page, own: RegExp): readonly string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => own.test(request.url()) || problems.push(request.url()));
  page.on('dialog', (dialog) => void problems.push(dialog.message()));
  return problems;
}

/**
 * Opens an empty page at `origin` that runs a module. The browser gets page and module from this function; requests of the module go
 * to the real server of that origin. `tell` receives console output and uncaught errors of the page.
 */
export async function openPage(
  browser: Browser,
  { origin, module, head = '' }: { origin: string; module: string; head?: string },
  tell: (line: string) => void = () => undefined,
): Promise<Page> {
  const page = await browser.newPage();
  page.on('console', (message) => tell(message.text()));
  page.on('pageerror', (error) => tell(String(error)));
  const html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${head}<script type="module" src="/page/page.js"></script>`;
  await page.route(`${origin}/page/`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.route(`${origin}/page/page.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: module }),
  );
  await page.goto(`${origin}/page/`);
  return page;
}
