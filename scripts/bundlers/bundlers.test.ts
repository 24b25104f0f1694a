import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build as esbuild, context as esbuildContext } from 'esbuild';
import { rolldown, watch as rolldownWatch } from 'rolldown';
import { watch as rollupWatch } from 'rollup';
import {
  createServer,
  type InlineConfig,
  type LibraryOptions,
  type UserConfig,
  type ViteDevServer,
  build as viteBuild,
} from 'vite';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createSandbox, type Listening, listen, type Sandbox, sandboxCredentials } from '../../sandbox/src/index.ts';
import { readOwnCatalog } from '../../specs/src/index.ts';
import { switchyard as forEsbuild } from './esbuild.ts';
import type { SwitchyardPluginOptions } from './generation.ts';
import { switchyard as forRolldown } from './rolldown.ts';
import { switchyard as forRollup } from './rollup.ts';
import { switchyard as forVite } from './vite.ts';

let folder = '';
/** The text that the plugin has written to standard error. */
let written = '';
let sandbox: Sandbox;
let server: Listening;
/** Number of requests that the router has received. */
let requests = 0;
const countRequest = (): void => {
  requests += 1;
};
/** A generous timeout, because several tests may share a processor. */
const waits = { timeout: 50_000 };
const entry = (): string => join(folder, 'main.js');
const built = (): string => readFileSync(join(folder, 'dist/main.js'), 'utf8');
const options = (more: SwitchyardPluginOptions = {}): SwitchyardPluginOptions => ({
  folder,
  apiKey: sandboxCredentials.router.main,
  ...more,
});

beforeAll(async () => {
  const [first] = readOwnCatalog();
  if (first === undefined) throw new Error('the catalog is empty');
  const { id, charges_on_policy_rejection: billing, document } = first;
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  sandbox = createSandbox({ catalog: [{ id, billing, bytes }], log: 'text', writeLog: countRequest });
  server = await listen(sandbox);
  vi.stubEnv('VITEST', undefined); // The plugin does nothing if this is set.
  vi.stubEnv('SWITCHYARD_ROUTER_URL', undefined);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  sandbox.close();
});
beforeEach(() => {
  written = '';
  const writing = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text);
    return true;
  });
  folder = mkdtempSync(join(tmpdir(), 'switchyard-bundlers-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  configure();
  writeFileSync(entry(), `export { model } from './generated/models/${sandbox.exampleModel}.js';\n`);
  return () => {
    writing.mockRestore();
    rmSync(folder, { recursive: true, force: true });
  };
});

function configure(more = ''): void {
  const settings = `{ routerUrl: '${server.url}', generate: { layout: 'folder', ${more} } }`;
  writeFileSync(join(folder, 'switchyard.config.mjs'), `export default ${settings};\n`);
}

const viteConfig = (given: SwitchyardPluginOptions, more: UserConfig = {}): InlineConfig => ({
  root: folder,
  configFile: false,
  logLevel: 'silent',
  plugins: [forVite(given)],
  ...more,
});
const viteServer = (given: SwitchyardPluginOptions): Promise<ViteDevServer> =>
  createServer(viteConfig(given, { server: { port: 0, host: '127.0.0.1' } }));
const esbuildOptions = (given: SwitchyardPluginOptions): BuildOptions => ({
  entryPoints: [entry()],
  outfile: join(folder, 'dist/main.js'),
  bundle: true,
  format: 'esm',
  logLevel: 'silent',
  plugins: [forEsbuild(given)],
});

const bundlers: { name: string; build: (options: SwitchyardPluginOptions) => Promise<unknown> }[] = [
  {
    name: 'Vite',
    build: (given) => {
      const lib = { entry: entry(), formats: ['es'], fileName: () => 'main.js' } satisfies LibraryOptions;
      return viteBuild(viteConfig(given, { build: { lib, minify: false } }));
    },
  },
  {
    name: 'Rolldown',
    build: async (given) => {
      const bundle = await rolldown({ input: entry(), plugins: [forRolldown(given)] });
      await bundle.write({ file: join(folder, 'dist/main.js') });
    },
  },
  {
    name: 'esbuild',
    build: (given) => esbuild(esbuildOptions(given)),
  },
];

test.each(bundlers)(
  '$name bundles the packages generated before the build, and fails after a manual edit',
  async ({ build }) => {
    await build(options());
    expect(built()).toContain(sandbox.exampleModel);
    await build({ folder, frozen: 'lockfile' });
    appendFileSync(join(folder, `generated/models/${sandbox.exampleModel}.js`), '// edited\n');
    await expect(build({ folder, frozen: 'lockfile' })).rejects.toThrow(/differs from the lockfile/);
  },
);

test('a frozen build writes nothing, and fails if the output is outdated', async () => {
  writeFileSync(entry(), '');
  const frozen = bundlers[0]?.build(options({ frozen: true }));
  await expect(frozen).rejects.toThrow(/models that differ[\s\S]*to fix: cd \S+ && npx openapi-switchyard generate/);
  expect(existsSync(join(folder, 'generated'))).toBe(false);
});

test.each(bundlers)('$name reports the same diagnostics as generate', async ({ build }) => {
  await expect(build({ folder, apiKey: 'sk-wrong-key-of-nobody' })).rejects.toThrow(
    /status 401.*The credential is missing or was rejected/,
  );
  vi.stubEnv('SWITCHYARD_API_KEY', '');
  await expect(build({ folder })).rejects.toThrow(/no credential for the Model Router/);
  expect(existsSync(join(folder, 'generated'))).toBe(false);
});

test('prints the message of a failed build once, line by line', async () => {
  await bundlers[0]?.build(options());
  const edited = join(folder, `generated/models/${sandbox.exampleModel}.js`);
  appendFileSync(edited, '// edited\n');
  const failure = await bundlers[0]?.build(options()).catch(String);
  expect(String(failure).match(/was edited after it was generated/g)).toHaveLength(1);
  const vite = await viteServer(options());
  await vite.listen();
  await expect.poll(() => written, waits).toMatch(/^switchyard: models .*\nrequests .*\n/m);
  await vite.close();
});

test('a Vite server generates again when the configuration changes, until it closes', async () => {
  const vite = await viteServer(options());
  try {
    await vite.listen();
    const url = new URL(`generated/models/${sandbox.exampleModel}.js`, vite.resolvedUrls?.local[0]);
    expect(await (await fetch(url)).text()).toContain(sandbox.exampleModel);
    const present = join(folder, 'generated/models', `${sandbox.exampleModel}.schema.json`);
    expect(existsSync(present)).toBe(true);
    configure('typesOnly: true');
    await expect.poll(() => existsSync(present), waits).toBe(false);
    expect(written).toMatch(/switchyard: \d\d:\d\d:\d\d models: 1; files: \d+ created/);
  } finally {
    await vite.close();
  }
});

const watchers: { name: string; start: (options: SwitchyardPluginOptions) => Promise<() => Promise<void>> }[] = [
  {
    name: 'Rolldown',
    start: async (given) => {
      const watcher = rolldownWatch({
        input: entry(),
        plugins: [forRolldown(given)],
        output: { dir: join(folder, 'dist') },
      });
      return () => watcher.close();
    },
  },
  {
    name: 'Rollup',
    start: async (given) => {
      const watcher = rollupWatch({
        input: entry(),
        plugins: [forRollup(given)],
        output: { dir: join(folder, 'dist') },
      });
      return () => Promise.resolve(watcher.close());
    },
  },
  {
    name: 'esbuild',
    start: async (given) => {
      const made = await esbuildContext(esbuildOptions(given));
      await made.watch();
      return () => made.dispose();
    },
  },
];

test.each(watchers)('$name generates again in development when the configuration changes', async ({ start }) => {
  const stop = await start(options());
  try {
    const present = join(folder, 'generated/models', `${sandbox.exampleModel}.schema.json`);
    await expect.poll(() => existsSync(join(folder, 'dist/main.js')) && existsSync(present), waits).toBe(true);
    const asked = requests;
    writeFileSync(entry(), `export { model as other } from './generated/models/${sandbox.exampleModel}.js';\n`);
    await expect.poll(built, waits).toContain('other');
    expect(requests, 'an edit of another file sends no request').toBe(asked);
    // Bundlers can miss a change during a build, because they only remember the state at its end: so write the file again.
    const configureUntil = (more: string, isDone: () => boolean) =>
      expect.poll(() => (isDone() ? 'done' : configure(more)), { ...waits, interval: 1_000 }).toBe('done');
    await configureUntil('typesOnly: true', () => !existsSync(present));
    await configureUntil('{ this is broken', () =>
      /switchyard: .*switchyard\.config\.mjs cannot be loaded/.test(written),
    );
    await configureUntil('', () => existsSync(present));
  } finally {
    await stop();
  }
});

test.each([
  [{ frozen: 'yes' }, /\/frozen must be one of true, false, lockfile/],
  [{ frozn: true }, /options of the plugin: the object has no setting "frozn"; it has folder, .*frozen/],
  [{ only: 'a/b' }, /\/only must be an array of strings/],
])('the Vite plugin rejects the options %j when it is created', (options, says) => {
  expect(() => forVite(options as SwitchyardPluginOptions)).toThrow(says);
});

test('a Vite server starts even if the generator fails, and reports the failure', async () => {
  const vite = await viteServer({ folder, apiKey: 'sk-wrong-key-of-nobody' });
  try {
    await vite.listen();
    await expect.poll(() => written, waits).toMatch(/switchyard: .*401/);
  } finally {
    await vite.close();
  }
});
