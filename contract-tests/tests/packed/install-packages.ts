import { execFile } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type GenerationReport, generate, namePackages, nodePorts } from '../../../generator/src/index.ts';
import { configureGeneration, type OpenSandbox, serveSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { packageRoot } from '../../../specs/src/index.ts';

const run = promisify(execFile);
const packages = ['model-router', 'workflow-execution', 'models'] as const;

/** A project with generated packages, and the sandbox that the packages were generated from. */
export type InstalledPackages = OpenSandbox & {
  /** Temporary folder, which `close` removes. */
  readonly folder: string;
  /** Folder of an ES module package in `folder`, which has the three packages as `@acme/…` in its `node_modules`. */
  readonly project: string;
  readonly report: GenerationReport;
};

/** Generates from a sandbox, packs the three packages as a registry would get them, and installs them in an empty project. */
export async function installPackages(only: readonly string[] = []): Promise<InstalledPackages> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-packed-'));
  const project = join(folder, 'project');
  const { sandbox, specs, url, ...server } = await serveSandbox();
  const places = { outDir: join(folder, 'out'), cacheDir: join(folder, 'cache') };
  const config = configureGeneration({ url, specs }, places, 'write');
  const report = await generate({ ...config, packageNames: namePackages('@acme'), only }, nodePorts());
  await install(folder, project);
  // Link the dependencies of the packages, which is faster than installing them.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(join(packageRoot(), 'node_modules', name), join(project, 'node_modules', name));
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  const close = async (): Promise<void> => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, project, report, sandbox, specs, url, close };
}

/** Packs all packages with one npm command, because each start of npm takes a second. */
async function install(folder: string, project: string): Promise<void> {
  const made = packages.map((name) => join(folder, 'out', name));
  await run('npm', ['pack', ...made, '--pack-destination', folder, '--ignore-scripts', '--silent'], { cwd: folder });
  for (const name of packages) {
    const installed = join(project, 'node_modules/@acme', name);
    mkdirSync(installed, { recursive: true });
    const [tarball = ''] = globSync(`acme-${name}-[0-9]*.tgz`, { cwd: folder });
    await run('tar', ['-xzf', join(folder, tarball), '--strip-components=1'], { cwd: installed });
  }
}
