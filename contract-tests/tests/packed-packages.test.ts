import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runNode } from '../../scripts/run-node.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { openBrowser } from './browser/open-browser.ts';
import { openPage } from './browser/open-page.ts';
import { type InstalledPackages, installPackages } from './packed/install-packages.ts';
import { calledConsumer, callingConsumer, repeatedCalls, schemaConsumer, typesConsumer } from './packed-consumers.ts';
import { callBuilt, credentialsOf } from './toolchains/generated-folder.ts';

const modules = join(packageRoot(), 'node_modules');

let installed: InstalledPackages;
let project = '';

beforeAll(async () => {
  installed = await installPackages();
  project = installed.project;
  // Link the other libraries that the consumers import, which is faster than installing them.
  for (const name of ['@trpc', '@tanstack']) symlinkSync(join(modules, name), join(project, 'node_modules', name));
  writeFileSync(join(project, 'consumer.ts'), callingConsumer);
  writeFileSync(join(project, 'schemas.ts'), schemaConsumer);
  writeFileSync(join(project, 'types.ts'), typesConsumer);
}, 120_000);

afterAll(() => installed.close());

/** Compiles files of the project with TypeScript 7; returns what the compiler prints. */
async function compile(files: readonly string[], flags: readonly string[] = []): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [], outDir: 'built' },
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = [join(modules, 'typescript-7/bin/tsc'), '--pretty', 'false', ...flags];
  const { out, err } = await runNode(tsc, { cwd: project });
  return out + err;
}

// toolchains/run.ts also compiles packages with the TypeScript versions and resolution modes of the page about platforms.
describe('packages that are installed in an empty project', () => {
  test('installed packages compile, and run against a router and a workflow service', async () => {
    expect(installed.report.models.failed).toBe(0);
    expect(await compile(['consumer.ts', 'types.ts'])).toBe('');
    expect(await runConsumer('built/consumer.js')).toEqual(calledConsumer);
  });

  test('a Rolldown bundle of installed packages runs without the packages', async () => {
    const file = join(installed.folder, 'bundle.mjs');
    const build = await rolldown({ input: join(project, 'consumer.ts'), platform: 'browser', tsconfig: false });
    await build.write({ file, format: 'esm' });
    expect(readFileSync(file, 'utf8')).not.toMatch(/['"]node:|\brequire\(|^import\b/m);
    expect(await runConsumer(file)).toEqual(calledConsumer);
  });

  test('an esbuild bundle of installed packages runs in a page of Chromium', async () => {
    const entryPoints = [join(project, 'consumer.ts')];
    const made = await esbuild({ entryPoints, bundle: true, platform: 'browser', format: 'esm', write: false });
    const browser = await openBrowser();
    try {
      const module = `${made.outputFiles[0]?.text}\nglobalThis.use = use;`;
      const page = await openPage(browser, { origin: installed.url, module });
      expect(await page.evaluate(`use(${JSON.stringify(credentialsOf(installed))})`)).toEqual(calledConsumer);
    } finally {
      await browser.close();
    }
  });

  test('a bundle of one model is smaller than 1 kB and has no validator, no details and no other model', async () => {
    writeFileSync(join(project, 'one.js'), `export { model } from '@acme/models/image-provider/still-2.1';`);
    const build = await rolldown({ input: join(project, 'one.js'), platform: 'browser' });
    const { output } = await build.generate({ format: 'esm', minify: true });
    expect(output).toHaveLength(1);
    const used = Object.entries(output[0].modules).filter(([, { renderedLength }]) => renderedLength > 0);
    expect(used.map(([id]) => id.replace(/^.*@acme/, '@acme'))).toEqual(['@acme/models/image-provider/still-2.1.js']);
    expect(gzipSync(output[0].code, { level: 9 }).length).toBeLessThan(1000);
  });

  test('libraries that support Standard Schema accept the input schemas of installed packages', async () => {
    expect(await compile(['schemas.ts'], ['--skipLibCheck'])).toBe('');
    expect(await runConsumer('built/schemas.js')).toEqual({
      drawn: 'a boat',
      rejected: 'BAD_REQUEST',
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

test('a CommonJS file can require installed packages', async () => {
  const text = `
import { createModelRouter } from '@acme/model-router';
import { model } from '@acme/models/image-provider/composite_layers';
import { createWorkflowExecution } from '@acme/workflow-execution';

export async function use(given: { url: string; apiKey: string }): Promise<unknown> {
  const router = createModelRouter({ baseUrl: given.url, apiKey: given.apiKey });
  const layers = [{ kind: 'caption' as const, words: 'a boat' }];
  const { response } = await router.run(model, { canvas: { width: 8, height: 8 }, layers });
  return [response.status, typeof createWorkflowExecution];
}`;
  writeFileSync(join(project, 'required.cts'), text);
  expect(await compile(['required.cts'])).toBe('');
  expect(readFileSync(join(project, 'built/required.cjs'), 'utf8')).toContain('require("@acme/model-router")');
  expect(await runConsumer('built/required.cjs')).toEqual([200, 'function']);
});

describe('the number of type instantiations for installed packages', () => {
  /** Counts the type instantiations, and the files that the compiler reads, for a file with this number of calls. */
  async function countInstantiations(calls: number): Promise<{ instantiations: number; files: number }> {
    writeFileSync(join(project, 'effort.ts'), repeatedCalls(calls));
    const printed = await compile(['effort.ts'], ['--noEmit', '--extendedDiagnostics']);
    const read = (name: string): number => {
      const figure = new RegExp(`^${name}: +(\\d+)`, 'm').exec(printed)?.[1];
      if (figure === undefined) throw new Error(`the compiler printed no ${name}: ${printed}`);
      return Number(figure);
    };
    return { instantiations: read('Instantiations'), files: read('Files') };
  }

  test('the number of type instantiations grows linearly with the calls, and not with the installed models', async () => {
    const [ten, twenty] = [await countInstantiations(10), await countInstantiations(20)];
    const models = join(project, 'node_modules/@acme/models');
    const declarations = readFileSync(join(models, 'image-provider/still-2.1.d.ts'), 'utf8');
    mkdirSync(join(models, 'many-provider'));
    for (let at = 0; at < 1000; at++) {
      const text = declarations.replaceAll('image-provider/still-2.1', `many-provider/m${at}`);
      writeFileSync(join(models, `many-provider/m${at}.d.ts`), text);
    }
    const thirty = await countInstantiations(30);
    expect(thirty.files).toBe(ten.files);
    expect(thirty.instantiations - twenty.instantiations).toBe(twenty.instantiations - ten.instantiations);
    expect((twenty.instantiations - ten.instantiations) / 10).toBeLessThan(200);
  });

  test('editors suggest the alternate providers of a model for the option modelProvider', () => {
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

const runConsumer = (path: string): Promise<unknown> => callBuilt(resolve(project, path), project, installed);
