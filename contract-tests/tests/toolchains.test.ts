import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build as esbuild, transformSync } from 'esbuild';
import { build as vite } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generate, nodePorts, verifyOutput } from '../../generator/src/index.ts';
import { runNode } from '../../scripts/run-node.ts';
import { configureGeneration, type OpenSandbox, serveSandbox } from '../../scripts/tests/with-sandbox.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { answered } from './toolchains/application.ts';
import { callBuilt, writeApplication } from './toolchains/generated-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'switchyard-toolchains-'));
const source = join(root, 'source');
let served: OpenSandbox;

beforeAll(async () => {
  served = await serveSandbox();
  await writeApplication(source, served);
}, 120_000);

afterAll(async () => {
  await served.close();
  rmSync(root, { recursive: true, force: true });
});

/** Creates a project that contains the application. */
function makeProject(name: string, type: 'module' | 'commonjs'): string {
  const folder = join(root, name);
  cpSync(source, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', type }));
  return folder;
}

function* listScripts(folder: string): Generator<string> {
  yield* globSync('**/*.js', { cwd: folder });
}

type Build = {
  readonly name: string;
  readonly type: 'module' | 'commonjs';
  /** Returns the file that exports the application. */
  readonly build: (folder: string) => Promise<string>;
};

const bundle = (target: string, tsconfig = {}): Build => ({
  name: `a bundle of esbuild for ${target}`,
  type: 'module',
  build: async (folder) => {
    // The settings of a project also apply to generated files in the project.
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    const entryPoints = [join(folder, 'application.ts')];
    const outfile = join(folder, 'built.js');
    await esbuild({ entryPoints, outfile, bundle: true, format: 'esm', target, platform: 'browser' });
    return 'built.js';
  },
});

const viteBundle = (target: string): Build => ({
  name: `a bundle of Vite for ${target}`,
  type: 'module',
  build: async (folder) => {
    const lib = { entry: join(folder, 'application.ts'), formats: ['es' as const], fileName: 'built' };
    const build = { target, lib, outDir: folder, emptyOutDir: false };
    await vite({ root: folder, configFile: false, logLevel: 'error', build });
    return 'built.js';
  },
});

const compiled = (compiler: string): Build => ({
  name: `a CommonJS project without strict checks, compiled by ${compiler}`,
  type: 'commonjs',
  build: async (folder) => {
    const compilerOptions = {
      ...{ strict: false, target: 'es2017', useDefineForClassFields: false, outDir: 'built', rootDir: '.' },
      ...{ module: 'nodenext', lib: ['es2022', 'dom', 'dom.iterable'], types: [], skipLibCheck: false },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['application.ts'] }));
    const tsc = join(packageRoot(), 'node_modules', compiler, 'bin/tsc');
    expect(await runNode([tsc, '-p', folder, '--pretty', 'false'])).toEqual({ code: 0, out: '', err: '' });
    cpSync(join(folder, 'generated'), join(folder, 'built/generated'), { recursive: true });
    return 'built/application.js';
  },
});

const loaded = (type: Build['type']): Build => ({
  name: `a project of type ${type} in Node, unbuilt`,
  type,
  build: async (folder) => {
    cpSync(join(folder, 'application.ts'), join(folder, 'application.mts'));
    return 'application.mts';
  },
});

const assigned = { compilerOptions: { target: 'es2017', useDefineForClassFields: false } };
/** `npm test` tries the builds that change the code most, `npm run test:long` tries all builds. */
const builds = [bundle('es2017', assigned), compiled('typescript-7'), loaded('commonjs')];
if (process.env['SWITCHYARD_ALL_TARGETS'] === '1') {
  builds.push(compiled('typescript'), loaded('module'));
  for (const target of ['es2017', 'es2020', 'es2022', 'esnext']) builds.push(bundle(target), viteBundle(target));
}

test.each(builds)('an application that uses the whole client works in $name', async ({ name, type, build }) => {
  const folder = makeProject(name.replaceAll(/\W+/g, '-'), type);
  // Calls from a CommonJS project, like those of `npm init`.
  expect(await callBuilt(join(folder, await build(folder)), folder, served, 'commonjs')).toEqual(answered);
});

describe('a generated folder', () => {
  test('with the option routerOnly, a generated folder has no workflow client and keeps the package.json of the user', async () => {
    const folder = makeProject('router-only', 'commonjs');
    const outDir = join(folder, 'generated');
    writeFileSync(join(outDir, 'package.json'), '{ "name": "mine" }');
    const config = configureGeneration(served, { outDir, cacheDir: join(folder, '.cache') }, 'write');
    const outputLayout = { layout: 'folder', peers: 'any-version', routerOnly: true } as const;
    await generate({ ...config, outputLayout }, nodePorts());
    expect(existsSync(join(outDir, 'workflow-execution'))).toBe(false);
    expect(globSync('**/runtime/workflow', { cwd: outDir })).toEqual([]);
    expect(readFileSync(join(outDir, 'package.json'), 'utf8')).toBe('{ "name": "mine" }');
    const { files } = nodePorts();
    expect(verifyOutput(outDir, files)).toMatchObject({ isSound: true, unlisted: [] });
    expect(JSON.parse(readFileSync(join(outDir, 'models/package.json'), 'utf8'))).toEqual({
      ...{ private: true, type: 'module', sideEffects: false },
    });
    writeFileSync(join(outDir, 'models/package.json'), '{ "type": "commonjs" }');
    expect(verifyOutput(outDir, files).isSound).toBe(false);
  });

  test('a generated folder has only one copy of each runtime file', () => {
    const names = globSync('generated/*/runtime/http/*.js', { cwd: source }).map((path) => path.split('/').at(-1));
    expect(names).not.toEqual([]);
    expect(names).toEqual([...new Set(names)]);
  });
});

test('a bundle of createModelRouter contains no other entry point and no validator', async () => {
  const contents = `export { createModelRouter } from './generated/model-router/index.js';`;
  const stdin = { contents, resolveDir: source };
  const { metafile } = await esbuild({ stdin, bundle: true, format: 'esm', write: false, metafile: true });
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  expect(inputs.length).toBeGreaterThan(5);
  expect(inputs.filter((path) => /validat|runtime\/(?!router|http)/.test(path))).toEqual([]);
});

test('generated files only load code in ways that bundlers can follow', () => {
  const loads = /\b(?:require|eval|Function)\(|\bimport\((?!")|new Worker\b|import\.meta|\bfrom "node:/g;
  const found = [...listScripts(source)].flatMap((path) => {
    const { code } = transformSync(readFileSync(join(source, path), 'utf8'), { legalComments: 'none' });
    return [...code.matchAll(loads)].map(([text]) => `${path}: ${text}`);
  });
  // Only the entry point for Node imports its modules.
  expect(found.filter((one) => !/\/runtime\/node\/.*: from "node:$/.test(one))).toEqual([]);
  expect(found).not.toEqual([]);
});
