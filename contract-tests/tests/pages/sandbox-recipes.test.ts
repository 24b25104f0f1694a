import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createServer as createVite, type InlineConfig } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, HandlerError, listen, sandboxCredentials } from '../../../sandbox/src/index.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { type InstalledPackages, installPackages } from '../packed/install-packages.ts';
import { namedBlock } from './code-blocks.ts';
import { freePort, runScript } from './project.ts';

// The tests of the pages about tests, in a project with the packed packages, in which
// `openapi-switchyard` is the source of this checkout.
const pages = ['test-your-client', 'produce-a-situation', 'test-with-your-models', 'test-a-page'].map(
  (name) => `docs/how-to/${name}.md`,
);
let installed: InstalledPackages;
let folder: string;
afterAll(() => installed.close());

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** A package whose entry passes on what a file of this checkout exports. */
function standIn(name: string, entry: string): void {
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', exports: './index.js' }));
  write(`node_modules/${name}/index.js`, entry);
}

const readAddress = (path: string): string => JSON.stringify(pathToFileURL(join(packageRoot(), path)).href);

beforeAll(async () => {
  installed = await installPackages(['image-provider/still-2.1']);
  folder = installed.project;
  const port = await freePort();
  standIn('openapi-switchyard', `export * from ${readAddress('scripts/library.ts')};`);
  // The browser of the dependencies, or of the system.
  const browser = `import { openBrowser } from ${readAddress('contract-tests/tests/browser/open-browser.ts')};`;
  standIn('playwright', `${browser}\nexport const chromium = { launch: openBrowser };`);
  for (const name of ['vitest', 'msw'])
    symlinkSync(join(packageRoot(), 'node_modules', name), join(folder, 'node_modules', name));
  const files = [
    ...['vitest.config.ts', 'sandbox.setup.ts', 'harbour.test.ts', 'latency.test.ts', 'generated-clients.test.ts'],
    ...['progress.test.ts', 'own-models.test.ts', 'client.test.ts', 'page.test.ts'],
    'client-in-tests.test.ts',
  ];
  for (const file of files) write(file, namedBlock(pages, file).text.replaceAll('5179', port));
}, 60_000);

// A browser takes its time to start.
test('the recipes for Vitest, the clock, generated clients, own models, MSW and Playwright pass as they stand', async () => {
  symlinkSync(join(installed.folder, 'out'), join(folder, 'generated'));
  const { code, output } = await runScript('vitest run --test-timeout 60000', folder);
  expect(output).toMatch(/Tests +10 passed \(10\)/);
  expect(code).toBe(0);
});

test('a handler that throws is the cause of a network error of the client', async () => {
  const { createModelRouter } = await import(
    pathToFileURL(join(folder, 'node_modules/@acme/model-router/index.js')).href
  );
  const sandbox = createSandbox();
  sandbox.on('image-provider/still-2.1', () => {
    throw new Error('a mistake');
  });
  const { credentials, fetch } = sandbox;
  const options = { baseUrl: 'http://sandbox.test', apiKey: credentials.router.main, fetch, maxAttempts: 1 };
  const outcome = await createModelRouter(options).safe.run('image-provider/still-2.1', { prompt: 'a harbour' });
  expect(outcome.error).toMatchObject({ kind: 'network', attempts: 1, cause: expect.any(HandlerError) });
  sandbox.close();
});

test('the recipe for Storybook passes calls on to a sandbox', async () => {
  const sandbox = createSandbox();
  const server = await listen(sandbox);
  write(
    '.storybook/main.ts',
    namedBlock(pages, '.storybook/main.ts').text.replaceAll('http://127.0.0.1:4010', server.url),
  );
  const { default: config }: { default: { viteFinal: (config: InlineConfig) => InlineConfig } } = await import(
    pathToFileURL(join(folder, '.storybook/main.ts')).href
  );
  const vite = await createVite(
    config.viteFinal({ root: folder, configFile: false, logLevel: 'silent', server: { port: 0 } }),
  );
  try {
    await vite.listen();
    const response = await fetch(new URL('/v2/models?limit=1', vite.resolvedUrls?.local[0]), {
      headers: { 'X-API-Key': sandboxCredentials.router.main },
    });
    expect([response.status, (await response.json()).data.length]).toEqual([200, 1]);
  } finally {
    await vite.close();
    await server.close();
    sandbox.close();
  }
});
