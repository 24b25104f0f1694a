import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { openBrowser } from './browser/open-browser.ts';
import { openPage } from './browser/open-page.ts';
import { type InstalledPackages, installPackages } from './packed/install-packages.ts';

const run = promisify(execFile);
const modules = join(packageRoot(), 'node_modules');

let installed: InstalledPackages;
let project = '';

beforeAll(async () => {
  installed = await installPackages();
  project = installed.project;
  writeFileSync(join(project, 'consumer.ts'), consumer);
}, 120_000);

afterAll(() => installed.close());

const consumer = `
import { createModelRouter, operations, RouterError, type Models } from '@acme/model-router';
import { createModelRouterClient } from '@acme/model-router/client';
import { findAssets } from '@acme/model-router/assets';
import { createWorkflowExecution } from '@acme/workflow-execution';
import { createWorkflowExecutionClient } from '@acme/workflow-execution/client';
import { model, type Input, type Output } from '@acme/models/image-provider/composite_layers';

declare const settings: { url: string; apiKey: string; token: string; job: string };

export const input: Input = { canvas: { width: 8, height: 8 }, layers: [{ kind: "caption", words: "a boat" }] };
export const byId: Models['image-provider/composite_layers']['input'] = input;
// @ts-expect-error a canvas is an object
export const wrong: Input = { canvas: 3 };

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

async function call(given: typeof settings): Promise<unknown> {
  const router = createModelRouter({ baseUrl: given.url, apiKey: given.apiKey });
  const { data, replayed } = await router.run(model, input);
  const isOutput: Equal<typeof data, Output> = true;
  const byName = await router.run('image-provider/composite_layers', input, { key: 'a-key-of-mine' });
  const isSame: Equal<typeof byName.data, Output> = true;
  const again = await router.run('image-provider/composite_layers', input, { key: 'a-key-of-mine' });
  const converted = await router.safe.run(model, input, { fallbackProvider: 'any' });
  // @ts-expect-error another provider's output may be in its own shape
  if (converted.ok) converted.data satisfies Output;
  const strict = await router.safe.run(model, { anything: 1 }, { modelProvider: 'nobody', strictMode: true });
  const handle = await router.submit(model, input);
  const states: string[] = [];
  for await (const state of handle) states.push(state.kind);
  const queued = await handle.result();
  const untyped = await router.untyped.run('nobody/none', {}).catch((error: unknown) => error);
  const category = untyped instanceof RouterError && untyped.kind === 'router' ? untyped.category.known : undefined;
  let listed = 0;
  for await (const entry of router.models({ limit: 5 })) if (entry.id !== '') listed += 1;
  const job = await createWorkflowExecution({ baseUrl: given.url, token: given.token }).getJobWorkflow(given.job);
  return {
    ...{ isOutput, isSame, replayed, again: again.replayed, strict: strict.ok, last: states.at(-1) },
    ...{ queued: typeof queued.data, category, listed: listed > 20, format: job.format },
    assets: findAssets({ data, replayed }, { model: model.id, receivedAt: Date.now() }).length > 0,
  };
}

export async function misuse(given: typeof settings): Promise<void> {
  const router = createModelRouter({ baseUrl: given.url, apiKey: given.apiKey });
  // @ts-expect-error no model of that id was imported
  await router.run('nobody/none', {});
  // @ts-expect-error a canvas is an object
  await router.run(model, { canvas: 3 });
  // @ts-expect-error strict mode needs a provider
  await router.run(model, input, { strictMode: true });
  // @ts-expect-error a submission takes no query parameters
  await router.submit(model, input, { modelProvider: 'x' });
}

export async function use(given: typeof settings): Promise<unknown> {
  const router = createModelRouterClient({ baseUrl: given.url, apiKey: given.apiKey });
  const page = await router.GET('/v2/models', { params: { query: { limit: 2 } } });
  const [provider = '', name = ''] = model.id.split('/');
  const path = { provider, model: name };
  const ran = await router.POST('/v2/models/{provider}/{model}', { params: { path }, body: input });
  const output = ran.data as Output | undefined;
  const refused = await router.GET('/v2/models/{provider}/{model}', { params: { path: { provider: 'nobody', model: 'none' } } });
  const jobs = createWorkflowExecutionClient({ baseUrl: given.url, token: given.token });
  const job = await jobs.GET('/api/v2/jobs/{id}/workflow', { params: { path: { id: given.job } } });
  return {
    operations: Object.keys(operations).length,
    listed: page.data?.data.length,
    ran: ran.response.status,
    hasOutput: output !== undefined,
    refused: refused.error?.error_type,
    job: job.response.status,
    called: await call(given),
  };
}
`;

type Project = { compiler: string; moduleResolution: string; skipLibCheck: boolean };
const projects = ['typescript', 'typescript-7'].flatMap((compiler) =>
  ['bundler', 'node16', 'nodenext'].flatMap((moduleResolution) =>
    [true, false].map((skipLibCheck): Project => ({ compiler, moduleResolution, skipLibCheck })),
  ),
);

async function compile({ compiler, moduleResolution, skipLibCheck }: Project, emit: boolean): Promise<string> {
  const name = `${compiler}-${moduleResolution}-${skipLibCheck}.json`;
  const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
  const compilerOptions = {
    ...{
      module,
      moduleResolution,
      skipLibCheck,
      strict: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
    },
    ...{ types: [], noEmit: !emit, outDir: 'built', exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  };
  writeFileSync(join(project, name), JSON.stringify({ compilerOptions, include: ['consumer.ts'] }));
  const tsc = [join(modules, compiler, 'bin/tsc'), '-p', name, '--pretty', 'false'];
  return run(process.execPath, tsc, { cwd: project }).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  );
}

const bundlers = {
  async rolldown(input: string, file: string): Promise<void> {
    const build = await rolldown({ input, platform: 'browser', tsconfig: false });
    await build.write({ file, format: 'esm' });
  },
  async esbuild(input: string, outfile: string): Promise<void> {
    await esbuild({
      entryPoints: [input],
      outfile,
      bundle: true,
      platform: 'browser',
      format: 'esm',
      target: 'es2022',
    });
  },
};

describe('packed and installed in an empty project, the packages', () => {
  test.each(projects)(
    'compile with $compiler, $moduleResolution, skipLibCheck $skipLibCheck',
    { timeout: 120_000 },
    async (options) => {
      expect(installed.report.models.failed).toBe(0);
      expect(await compile(options, false)).toBe('');
    },
  );

  const called = {
    ...{ isOutput: true, isSame: true, replayed: false, again: true, strict: false, last: 'succeeded' },
    ...{ queued: 'object', category: 'model_not_found', listed: true, format: 'save', assets: true },
  };
  const expected = {
    operations: 8,
    listed: 2,
    ran: 200,
    hasOutput: true,
    refused: 'model_not_found',
    job: 200,
    called,
  };

  test('run against a router and a workflow service', { timeout: 120_000 }, async () => {
    expect(await compile({ compiler: 'typescript-7', moduleResolution: 'nodenext', skipLibCheck: true }, true)).toBe(
      '',
    );
    expect(await runConsumer('built/consumer.js')).toEqual(expected);
  });

  test.each(Object.entries(bundlers))(
    'are bundled for a browser by %s, and the bundle runs without anything installed',
    { timeout: 120_000 },
    async (name, bundle) => {
      const file = join(installed.folder, `bundle/${name}.mjs`);
      await bundle(join(project, 'consumer.ts'), file);
      const text = readFileSync(file, 'utf8');
      expect(text).not.toMatch(/['"]node:|\brequire\(|^import\b/m);
      expect(await runConsumer(file)).toEqual(expected);
    },
  );

  test('run in a page of Chromium, bundled by esbuild', { timeout: 120_000 }, async () => {
    const file = join(installed.folder, 'bundle/page.mjs');
    await bundlers.esbuild(join(project, 'consumer.ts'), file);
    const browser = await openBrowser();
    try {
      const module = `${readFileSync(file, 'utf8')}\nglobalThis.use = use;`;
      const page = await openPage(browser, { origin: installed.url, module });
      const use = `use(${JSON.stringify(givenToConsumer())})`;
      expect(await page.evaluate(use)).toEqual(expected);
      expect(await page.evaluate('navigator.userAgent')).toContain('Chrome/');
    } finally {
      await browser.close();
    }
  });

  test('leave out of a bundle the models that it does not import', { timeout: 60_000 }, async () => {
    writeFileSync(join(project, 'one.js'), `export { model } from '@acme/models/image-provider/composite_layers';`);
    const build = await rolldown({ input: join(project, 'one.js'), platform: 'browser' });
    const { output } = await build.generate({ format: 'esm' });
    expect(output).toHaveLength(1);
    const subpaths = output[0].moduleIds.filter((id) => /@acme\/models\/[^/]+-provider\/[^/]+\.js$/.test(id));
    expect(subpaths).toHaveLength(1);
  });
});

function givenToConsumer() {
  const { router, workflow } = sandboxCredentials;
  return { url: installed.url, apiKey: router.main, token: workflow.main, job: installed.sandbox.jobs.save };
}

async function runConsumer(path: string): Promise<unknown> {
  const use = `const { use } = await import(${JSON.stringify(resolve(project, path))});`;
  const script = `${use} process.stdout.write(JSON.stringify(await use(${JSON.stringify(givenToConsumer())})));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: project });
  return JSON.parse(stdout);
}
