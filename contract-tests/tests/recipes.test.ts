import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { toNodeHandler } from '../../generated/model-router/node.js';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { runNode } from '../../scripts/run-node.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { type Browser, openBrowser } from './browser/open-browser.ts';
import { openPage } from './browser/open-page.ts';
import { serveLocally } from './local-servers.ts';
import { type InstalledPackages, installPackages } from './packed/install-packages.ts';
import { clientPages, integrationPages, listRecipeModels, type Recipe, readRecipes } from './packed/recipes.ts';
import { runRecipe } from './packed/run-recipe.ts';

const recipes = readRecipes(clientPages);
const integrations = readRecipes(integrationPages);
const modules = join(packageRoot(), 'node_modules');

/** Files of a user's project that the recipes for other libraries import. */
const userFiles = {
  'session.ts': `export const findUser = async (request: Request): Promise<string | undefined> =>
  request.headers.get('authorization') === 'Bearer session' ? 'ada' : undefined;
`,
  'language-model.ts': `import { MockLanguageModelV3 } from 'ai/test';
const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const call = (toolCallId: string) => ({ type: 'tool-call' as const, toolCallId, toolName: 'drawImage', input: '{"prompt":"a harbour"}' });
let calls = 0;
export const languageModel = new MockLanguageModelV3({
  doGenerate: async ({ tools }) => {
    const [schema] = (tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.inputSchema] : []));
    if (schema?.type !== 'object' || schema.properties?.['prompt'] === undefined) throw new Error(JSON.stringify(schema));
    calls += 1;
    if (calls > 2) return { content: [{ type: 'text' as const, text: 'done' }], finishReason: { unified: 'stop' as const, raw: undefined }, usage, warnings: [] };
    return { content: [call('call-' + calls)], finishReason: { unified: 'tool-calls' as const, raw: undefined }, usage, warnings: [] };
  },
});
`,
};

/** Settings that a framework's tool writes into a new project; `tsc --init` itself is run for its settings. */
const defaultProjects: readonly {
  readonly recipe: string;
  readonly tool: string;
  readonly file: string;
  readonly manifest: object;
  readonly compilerOptions?: object;
}[] = [
  {
    recipe: 'Next.js',
    tool: 'create-next-app',
    file: 'app/v2/[...path]/route.ts',
    manifest: {},
    compilerOptions: {
      ...{ target: 'ES2017', lib: ['dom', 'dom.iterable', 'esnext'], allowJs: true, skipLibCheck: true, strict: true },
      ...{ noEmit: true, esModuleInterop: true, module: 'esnext', moduleResolution: 'bundler' },
      ...{ resolveJsonModule: true, isolatedModules: true, jsx: 'preserve', incremental: true },
      paths: { '@/*': ['./*'] },
    },
  },
  {
    recipe: 'Hono',
    tool: 'create-hono',
    file: 'src/index.ts',
    manifest: { type: 'module' },
    compilerOptions: {
      ...{ target: 'ESNext', module: 'NodeNext', strict: true, verbatimModuleSyntax: true, skipLibCheck: true },
      ...{ types: ['node'], jsx: 'react-jsx', jsxImportSource: 'hono/jsx', outDir: './dist' },
    },
  },
  { recipe: 'Express', tool: 'tsc --init', file: 'src/index.ts', manifest: { type: 'module' } },
];

let installed: InstalledPackages;
let browser: Browser | undefined;

/** Writes each recipe into a separate folder of a user's project. */
beforeAll(async () => {
  installed = await installPackages(listRecipeModels([...recipes, ...integrations]));

  for (const recipe of [...recipes, ...integrations]) {
    mkdirSync(nameFolder(recipe));
    writeFileSync(join(nameFolder(recipe), 'recipe.ts'), recipe.code);
    for (const [name, code] of Object.entries(userFiles)) writeFileSync(join(nameFolder(recipe), name), code);
  }
  for (const name of ['ai', '@modelcontextprotocol', '@tanstack', '@types', 'hono', 'express'])
    symlinkSync(join(modules, name), join(installed.project, 'node_modules', name));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await installed.close();
});

const nameFolder = ({ name }: Recipe): string => join(installed.project, name.toLowerCase().replaceAll(' ', '-'));
const run = (recipe: Recipe): Promise<string> =>
  runRecipe(recipe, { command: [process.execPath, 'recipe.ts'], folder: nameFolder(recipe) }, installed);

/** Compiles programs; returns the output of the compiler. */
async function compile(programs: readonly Recipe[], options: readonly string[]): Promise<string> {
  const target = ['--target', 'es2024', '--module', 'nodenext', '--lib', 'es2024,dom,dom.iterable,dom.asynciterable'];
  const types = ['--types', 'node', '--typeRoots', join(modules, '@types')];
  const files = programs.map((recipe) => join(nameFolder(recipe), 'recipe.ts'));
  const tsc = [join(modules, 'typescript-7/bin/tsc'), '--strict', '--noEmit', '--allowImportingTsExtensions'];
  const command = [...tsc, ...options, ...target, ...types, ...files];
  const { out, err } = await runNode(command, { cwd: installed.project });
  return out + err;
}

/** Runs a program in a page; returns its console output when it has printed `lines` lines. */
async function runInPage(program: string, { origin, lines }: { origin: string; lines: number }): Promise<string> {
  const stdin = { contents: program, resolveDir: installed.project, loader: 'ts' as const };
  const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false });
  browser ??= await openBrowser();
  const openedBrowser = browser;
  const head = `<meta name="session" content="${sandboxCredentials.router.main}">`;
  const module = outputFiles[0]?.text ?? '';
  return new Promise((ended, refuse) => {
    const printed: string[] = [];
    const print = (line: string): void => {
      if (printed.push(`${line}\n`) === lines) ended(printed.join(''));
    };
    openPage(openedBrowser, { origin, module, head }, print).catch(refuse);
  });
}

describe('the programs that call models', () => {
  test('the recipes that call models compile unchanged', { timeout: 60_000 }, async () => {
    const exact = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    expect(await compile(recipes, exact)).toBe('');
  });

  test.each(recipes)('the recipe $name prints the output on its page', { timeout: 60_000 }, async (recipe) => {
    expect(await run(recipe)).toBe(recipe.prints);
  });
});

describe('the programs for other libraries', () => {
  const named = (wanted: string): Recipe => {
    const found = integrations.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`there is no recipe ${wanted}`);
    return found;
  };

  test('the recipes for other libraries compile unchanged', { timeout: 60_000 }, async () => {
    // Two of the libraries do not compile with exact optional properties.
    const isProxyRecipe = ({ name }: Recipe) => defaultProjects.some(({ recipe }) => recipe === name);
    expect(
      await compile(
        integrations.filter((one) => !isProxyRecipe(one)),
        ['--skipLibCheck'],
      ),
    ).toBe('');
  });

  test.each(defaultProjects)(
    'the recipe $recipe compiles in a new project of $tool',
    { timeout: 60_000 },
    async (project) => {
      const { recipe, tool, file, manifest, compilerOptions } = project;
      const folder = join(installed.project, `new-${tool.replace(/\W+/g, '-')}`);
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      const session = file.startsWith('src/') ? 'src/session.ts' : 'session.ts';
      writeFileSync(join(folder, file), named(recipe).code);
      writeFileSync(join(folder, session), userFiles['session.ts']);
      writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
      const tsc = join(modules, 'typescript-7/bin/tsc');
      if (compilerOptions === undefined) await runNode([tsc, '--init'], { cwd: folder });
      else writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      expect(await runNode([tsc, '--noEmit', '-p', folder])).toEqual({ code: 0, out: '', err: '' });
    },
  );

  test.each(['AI SDK', 'Calls for many users'])(
    'the recipe %s prints the output on its page',
    { timeout: 60_000 },
    async (name) => {
      expect(await run(named(name))).toBe(named(name).prints);
    },
  );

  test.each(['Browser', 'Keep calls across a reload', 'TanStack Query'])(
    'the recipe %s prints the output on its page in Chromium',
    { timeout: 60_000 },
    async (name) => {
      const { code, prints } = named(name);
      expect(await runInPage(code, { origin: installed.url, lines: prints.split('\n').length - 1 })).toBe(prints);
    },
  );

  test('the recipe for an MCP server lists a tool that a client can call', { timeout: 60_000 }, async () => {
    const env = { MODEL_ROUTER_URL: installed.url, MODEL_ROUTER_API_KEY: sandboxCredentials.router.main };
    const client = new Client({ name: 'test', version: '1.0.0' });
    const cwd = nameFolder(named('MCP server'));
    await client.connect(new StdioClientTransport({ command: process.execPath, args: ['recipe.ts'], cwd, env }));
    try {
      const { tools } = await client.listTools();
      expect(tools).toMatchObject([{ inputSchema: { type: 'object', properties: { prompt: { type: 'string' } } } }]);
      const call = (input: object, name = 'draw_image') => client.callTool({ name, arguments: { ...input } });
      // The unknown tool is rejected before runs are counted, so the calls below are still allowed.
      expect(await call({ prompt: 'a harbour' }, 'draw_images')).toMatchObject({
        isError: true,
        content: [{ text: 'there is no tool draw_images' }],
      });
      expect(await call({ prompt: '' })).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('prompt') }],
      });
      expect(await call({ prompt: 'a harbour' })).toMatchObject({
        isError: false,
        content: [{ text: expect.stringMatching(/^http/) }],
      });
      await call({ prompt: 'a pier' });
      expect(await call({ prompt: 'a buoy' })).toMatchObject({
        isError: true,
        content: [{ text: 'no runs are left' }],
      });
    } finally {
      await client.close();
    }
  });

  /** Bundles a recipe; returns the URL of the module. */
  async function buildRoute(name: string): Promise<string> {
    const folder = nameFolder(named(name));
    const outfile = join(folder, 'built.mjs');
    await build({
      ...{ entryPoints: [join(folder, 'recipe.ts')], outfile, bundle: true, format: 'esm', platform: 'node' },
      ...{ packages: 'external', alias: { '@/session': join(folder, 'session.ts') } },
    });
    return pathToFileURL(outfile).href;
  }

  test('Next.js can load the route during its build, without the server’s environment variables', async () => {
    const route = await import(/* @vite-ignore */ `${await buildRoute('Next.js')}?without-variables`);
    expect(route).toMatchObject({ GET: expect.any(Function), maxDuration: 300 });
    expect(() => route.GET(new Request('https://app.example/v2/models'))).toThrow('createModelRouterProxy');
  });

  test.each(['Hono', 'Next.js', 'Express'])(
    'the proxy recipe for %s forwards calls of a page in Chromium',
    { timeout: 60_000 },
    async (name) => {
      vi.stubEnv('MODEL_ROUTER_URL', installed.url);
      vi.stubEnv('MODEL_ROUTER_API_KEY', sandboxCredentials.router.main);
      const app = await import(/* @vite-ignore */ await buildRoute(name));
      const answer = (request: Request): Promise<Response> =>
        name === 'Hono' ? app.default.fetch(request) : app[request.method](request);
      const server = await serveLocally(name === 'Express' ? app.default : toNodeHandler(answer));
      try {
        const printed = await runInPage(pageProgram, { origin: server.url, lines: 2 });
        expect(printed).toMatch(/^Failed to load resource.*\n401 true done\n$/);
        const keys = installed.sandbox.ledger().keys.map(({ key }) => key);
        expect(keys.filter((key) => /^[0-9a-f]{64}$/.test(key)).length).toBeGreaterThan(1);
      } finally {
        await server.close();
        vi.unstubAllEnvs();
      }
    },
  );
});

const pageProgram = `
import { createModelRouter, safe } from '@acme/model-router';
import { subscribe } from '@acme/model-router/queue';
import { model as still } from '@acme/models/image-provider/still-2.1';
import { model as motion } from '@acme/models/video-provider/motion4-turbo';
const baseUrl = location.origin;
const stranger = await safe(createModelRouter({ baseUrl, token: 'nobody' }).run(still, { prompt: 'a harbour' }));
const router = createModelRouter({ baseUrl, token: 'session' });
const { data } = await router.run(still, { prompt: 'a harbour' });
const queued = await subscribe(router, motion, { prompt: 'waves at a pier' });
console.log(stranger.error.status, data.images.length > 0, queued.data.task.state);
`;
