import type { Browser, Page } from './open-browser.ts';

/**
 * An empty page at `origin` that runs a module. Page and module are handed to the browser; everything that the module requests goes
 * to the real server of that origin. Console output and uncaught errors of the page are reported.
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
