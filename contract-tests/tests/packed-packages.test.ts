import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { openBrowser } from './browser/open-browser.ts';
import { openPage } from './browser/open-page.ts';
import { type InstalledPackages, installPackages } from './packed/install-packages.ts';
import {
  calledConsumer,
  callingConsumer,
  pathsConsumer,
  repeatedCalls,
  schemaConsumer,
  typesConsumer,
} from './packed-consumers.ts';

const run = promisify(execFile);
const modules = join(packageRoot(), 'node_modules');

let installed: InstalledPackages;
let project = '';

beforeAll(async () => {
  installed = await installPackages();
  project = installed.project;
  // What the consumers use beside the packages is linked, not fetched.
  for (const name of ['@trpc', '@tanstack']) symlinkSync(join(modules, name), join(project, 'node_modules', name));
  writeFileSync(join(project, 'consumer.ts'), callingConsumer);
  writeFileSync(join(project, 'paths.ts'), pathsConsumer);
  writeFileSync(join(project, 'schemas.ts'), schemaConsumer);
  writeFileSync(join(project, 'types.ts'), typesConsumer);
}, 120_000);

afterAll(() => installed.close());

type Project = { compiler: string; moduleResolution: string };
/** `npm test` takes these two, one of which makes what is run; `npm run test:long` all pairs. */
const emitted: Project = { compiler: 'typescript', moduleResolution: 'nodenext' };
const projects: readonly Project[] =
  process.env['SWITCHYARD_ALL_TARGETS'] === '1'
    ? ['typescript', 'typescript-7'].flatMap((compiler) =>
        ['bundler', 'node16', 'nodenext'].map((moduleResolution) => ({ compiler, moduleResolution })),
      )
    : [{ compiler: 'typescript-7', moduleResolution: 'bundler' }];

async function compile(
  { compiler, moduleResolution }: Project,
  emit: boolean,
  files: readonly string[] = ['consumer.ts', 'paths.ts', 'types.ts'],
  flags: readonly string[] = [],
): Promise<string> {
  const name = `${compiler}-${moduleResolution}.json`;
  const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
  const strict = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
  };
  const compilerOptions = {
    ...{ ...strict, module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] },
    ...{ types: [], noEmit: !emit, outDir: 'built' },
  };
  writeFileSync(join(project, name), JSON.stringify({ compilerOptions, files }));
  const tsc = [join(modules, compiler, 'bin/tsc'), '-p', name, '--pretty', 'false', ...flags];
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
    'installed packages compile with $compiler, $moduleResolution',
    { timeout: 120_000 },
    async (options) => {
      expect(installed.report.models.failed).toBe(0);
      expect(await compile(options, false)).toBe('');
    },
  );

  test('installed packages, compiled with TypeScript 5.9, run against a router and a workflow service', {
    timeout: 120_000,
  }, async () => {
    expect(await compile(emitted, true)).toBe('');
    expect(await runConsumer('built/consumer.js')).toEqual(calledConsumer);
  });

  test.each(Object.entries(bundlers))(
    'installed packages can be bundled for a browser by %s, and the bundle runs without installed packages',
    { timeout: 120_000 },
    async (name, bundle) => {
      const file = join(installed.folder, `bundle/${name}.mjs`);
      await bundle(join(project, 'consumer.ts'), file);
      const text = readFileSync(file, 'utf8');
      expect(text).not.toMatch(/['"]node:|\brequire\(|^import\b/m);
      expect(await runConsumer(file)).toEqual(calledConsumer);
    },
  );

  test('installed packages run in a page of Chromium, bundled by esbuild', { timeout: 120_000 }, async () => {
    const file = join(installed.folder, 'bundle/page.mjs');
    await bundlers.esbuild(join(project, 'consumer.ts'), file);
    const browser = await openBrowser();
    try {
      const module = `${readFileSync(file, 'utf8')}\nglobalThis.use = use;`;
      const page = await openPage(browser, { origin: installed.url, module });
      const use = `use(${JSON.stringify(givenToConsumer())})`;
      expect(await page.evaluate(use)).toEqual(calledConsumer);
      expect(await page.evaluate('navigator.userAgent')).toContain('Chrome/');
    } finally {
      await browser.close();
    }
  });

  test('a bundle of one model is less than 1 kB without its validator, details or another model', async () => {
    writeFileSync(join(project, 'one.js'), `export { model } from '@acme/models/image-provider/still-2.1';`);
    const build = await rolldown({ input: join(project, 'one.js'), platform: 'browser' });
    const { output } = await build.generate({ format: 'esm', minify: true });
    expect(output).toHaveLength(1);
    const used = Object.entries(output[0].modules).filter(([, { renderedLength }]) => renderedLength > 0);
    expect(used.map(([id]) => id.replace(/^.*@acme/, '@acme'))).toEqual(['@acme/models/image-provider/still-2.1.js']);
    expect(gzipSync(output[0].code, { level: 9 }).length).toBeLessThan(1000);
  });

  test('libraries of Standard Schema accept the schemas of installed packages', { timeout: 120_000 }, async () => {
    const options = { compiler: 'typescript-7', moduleResolution: 'nodenext' };
    expect(await compile(options, true, ['schemas.ts'], ['--skipLibCheck'])).toBe('');
    expect(await runConsumer('built/schemas.js')).toEqual({
      drawn: 'a boat',
      refused: 'BAD_REQUEST',
      form: ['image_size.width', 'prompt'],
      fields: [
        ['prompt', ['must have at least 1 characters']],
        ['image_size.width', ['must be >= 256']],
      ],
      example: true,
      stated: [true, ['text'], ['image']],
      facts: expect.any(Array),
    });
  });
});

describe('in a CommonJS file, the packages', () => {
  const names = ['@acme/model-router', '@acme/models/image-provider/composite_layers', '@acme/workflow-execution'];
  const program = (load: (name: string) => string): string => `
    export async function use(given: { url: string; apiKey: string }): Promise<unknown> {
      const [{ createModelRouter }, { model }, { createWorkflowExecution }] = [${names.map(load)}] as const;
      const input = { canvas: { width: 8, height: 8 }, layers: [{ kind: 'caption', words: 'a boat' }] } as const;
      const router = createModelRouter({ baseUrl: given.url, apiKey: given.apiKey });
      const { response } = await router.run(model, { ...input, layers: [...input.layers] });
      return [response.status, typeof createWorkflowExecution];
    }`;
  const required = names.map((name, at) => `import module${at} = require('${name}');`).join('\n');

  test('a CommonJS file requires installed packages', { timeout: 60_000 }, async () => {
    const text = required + program((name) => `module${names.indexOf(name)}`);
    writeFileSync(join(project, 'required.cts'), text);
    const options = { compiler: 'typescript-7', moduleResolution: 'nodenext' };
    expect(await compile(options, true, ['required.cts'])).toBe('');
    expect(await runConsumer('built/required.cjs')).toEqual([200, 'function']);
  });

  // Its rules are those of a Node that has no ES modules for `require`; what it says names both ways out.
  test('a CommonJS file imports installed packages dynamically under module: node16', { timeout: 60_000 }, async () => {
    const options = { compiler: 'typescript-7', moduleResolution: 'node16' };
    writeFileSync(
      join(project, 'called.cts'),
      program((name) => `await import('${name}')`),
    );
    expect(await compile(options, true, ['called.cts'])).toBe('');
    expect(await runConsumer('built/called.cjs')).toEqual([200, 'function']);
    expect(await compile(options, false, ['required.cts'])).toMatch(/TS1471|TS1479|TS1541/);
  });
});

describe('to a compiler, the packages', () => {
  /** How much it did for a file of this text. */
  async function effort(text: string): Promise<{ instantiations: number; files: number }> {
    writeFileSync(join(project, 'effort.ts'), text);
    const options = { compiler: 'typescript-7', moduleResolution: 'nodenext' };
    const printed = await compile(options, false, ['effort.ts'], ['--extendedDiagnostics']);
    const read = (name: string): number => {
      const figure = new RegExp(`^${name}: +(\\d+)`, 'm').exec(printed)?.[1];
      if (figure === undefined) throw new Error(`the compiler printed no ${name}: ${printed}`);
      return Number(figure);
    };
    return { instantiations: read('Instantiations'), files: read('Files') };
  }

  test('compile time grows by the same amount for each further call', { timeout: 60_000 }, async () => {
    const counts: number[] = [];
    for (const calls of [10, 20, 30]) counts.push((await effort(repeatedCalls(calls))).instantiations);
    const [ten = 0, twenty = 0, thirty = 0] = counts;
    expect(thirty - twenty).toBe(twenty - ten);
    expect((twenty - ten) / 10).toBeLessThan(200);
  });

  test('compile time of one imported model does not depend on the number of installed models', {
    timeout: 60_000,
  }, async () => {
    const few = await effort(repeatedCalls(1));
    const models = join(project, 'node_modules/@acme/models');
    const declarations = readFileSync(join(models, 'image-provider/still-2.1.d.ts'), 'utf8');
    mkdirSync(join(models, 'many-provider'));
    for (let at = 0; at < 1000; at++)
      writeFileSync(
        join(models, `many-provider/m${at}.d.ts`),
        declarations.replaceAll('image-provider/still-2.1', `many-provider/m${at}`),
      );
    expect(await effort(repeatedCalls(1))).toEqual(few);
    const two = await effort(`${repeatedCalls(1)}import '@acme/models/many-provider/m7';`);
    expect(two.files).toBe(few.files + 1);
  });

  test('installed packages suggest the alternates of a document as providers', () => {
    const text = `import { createModelRouter } from '@acme/model-router';
import { model } from '@acme/models/image-provider/still-2.1';
createModelRouter().run(model, { prompt: '' }, { modelProvider: '' });`;
    const name = join(project, 'editor.ts');
    writeFileSync(name, text);
    const service = ts.createLanguageService({
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
      getCompilationSettings: () => ({ strict: true, module: ts.ModuleKind.NodeNext, types: [] }),
      getScriptFileNames: () => [name],
      getScriptVersion: () => '1',
      getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(ts.sys.readFile(path) ?? ''),
      getCurrentDirectory: () => project,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
    });
    const offered = service.getCompletionsAtPosition(name, text.lastIndexOf("''") + 1, {})?.entries;
    expect(offered?.map((entry) => entry.name)).toEqual(['image-provider-two', 'image-video-provider']);
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
