import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type GenerationReport, generate, namePackages, nodePorts } from '../../../generator/src/index.ts';
import { createSandbox, listen, type Sandbox } from '../../../sandbox/src/index.ts';
import { configureGeneration } from '../../../scripts/tests/with-sandbox.ts';
import { buildEffectiveSpecs, defaultSpecSettings, packageRoot } from '../../../specs/src/index.ts';

const run = promisify(execFile);
const packages = ['model-router', 'workflow-execution', 'models'] as const;

/** A project of a user of the packages, and the sandbox that they were generated from. */
export type InstalledPackages = {
  /** Temporary, removed by `close`. */
  readonly folder: string;
  /** In `folder`: an ES module package with the three packages as `@acme/…` in its `node_modules`. */
  readonly project: string;
  readonly report: GenerationReport;
  readonly sandbox: Sandbox;
  /** Where the sandbox is served. */
  readonly url: string;
  close(): Promise<void>;
};

/** Generates from a sandbox, packs the three packages as a registry would get them, and installs them in an empty project. */
export async function installPackages(only: readonly string[] = []): Promise<InstalledPackages> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-packed-'));
  const project = join(folder, 'project');
  const specs = await buildEffectiveSpecs(defaultSpecSettings);
  const sandbox = createSandbox({ specs });
  const server = await listen(sandbox, { port: 0, host: '127.0.0.1' });
  const places = { outDir: join(folder, 'out'), cacheDir: join(folder, 'cache') };
  const config = configureGeneration({ url: server.url, specs }, places, 'write');
  const report = await generate({ ...config, packageNames: namePackages('@acme'), only }, nodePorts());
  await Promise.all(packages.map((name) => install(name, folder, project)));
  // What the packages depend on is linked, not fetched.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(packageRoot(), 'node_modules', name), join(project, 'node_modules', name));
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  const close = async (): Promise<void> => {
    await server.close();
    sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, project, report, sandbox, url: server.url, close };
}

async function install(name: (typeof packages)[number], folder: string, project: string): Promise<void> {
  const made = join(folder, 'out', name);
  const packed = join(folder, 'packed', name);
  mkdirSync(packed, { recursive: true });
  const npm = ['pack', made, '--pack-destination', packed, '--ignore-scripts', '--json'];
  await run('npm', npm, { cwd: packed });
  const { version }: { version: string } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'));
  await run('tar', ['-xzf', `acme-${name}-${version}.tgz`], { cwd: packed });
  cpSync(join(packed, 'package'), join(project, 'node_modules/@acme', name), { recursive: true });
}
