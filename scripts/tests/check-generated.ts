import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate, nodePorts, renderReport } from '../../generator/src/index.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { runNode } from '../run-node.ts';
import { configureGeneration, withSandbox } from './with-sandbox.ts';

// Checks the committed packages: regenerated without a difference, compiled, and sound for those who install them.
const root = packageRoot();

// Checks every resolution mode: the packages have only ES modules, which CommonJS imports or, from Node 22 on, requires.
const everyMode = ['--ignore-rules', 'cjs-resolves-to-esm'];

async function isUpToDate(): Promise<boolean> {
  const cacheDir = mkdtempSync(join(tmpdir(), 'switchyard-check-'));
  try {
    const report = await withSandbox((served) =>
      generate(configureGeneration(served, { outDir: join(root, 'generated'), cacheDir }, 'check'), nodePorts()),
    );
    const passed = !report.changed && report.models.failed === 0;
    if (!passed)
      process.stdout.write(`${renderReport(report)}generated/ differs: run npm run quickstart and commit the result\n`);
    return passed;
  } finally {
    rmSync(cacheDir, { recursive: true, force: true });
  }
}

/** Compiles strictly with both compilers that consumers use. */
async function compiles(): Promise<boolean> {
  const compilers = ['typescript', 'typescript-7'].map((name) => join('node_modules', name, 'bin', 'tsc'));
  const project = join('generated', 'tsconfig.json');
  return (await Promise.all(compilers.map((file) => passes([file, '-p', project, '--noEmit'])))).every(Boolean);
}

/** Exports that resolve for their users, and declarations that fit their code. */
async function isSound(name: string): Promise<boolean> {
  const folder = join('generated', name);
  // The manifest names the models' subpaths by a pattern, which the tool does not follow.
  const subpaths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(
    (file) => /^(.+)\.schema\.json$/.exec(file)?.[1] ?? [],
  );
  const include = subpaths.length > 0 ? ['--include-entrypoints', ...subpaths] : [];
  const typeCheck = 'node_modules/@arethetypeswrong/cli/dist/index.js';
  return (
    existsSync(join(folder, 'package.json')) &&
    (await passes(['node_modules/publint/src/cli.js', folder, '--strict'])) &&
    (await passes([typeCheck, '--pack', folder, ...everyMode, ...include]))
  );
}

/** Runs a JavaScript file in the root of the repository and prints the output when it fails. */
async function passes(command: readonly string[]): Promise<boolean> {
  const { code, out, err } = await runNode(command, { cwd: root });
  if (code !== 0) process.stdout.write(`${command.join(' ')}: ${out}${err}`);
  return code === 0;
}

const packages = ['model-router', 'workflow-execution', 'models'];
const results = [await isUpToDate(), await compiles(), ...(await Promise.all(packages.map(isSound)))];
process.exitCode = results.every(Boolean) ? 0 : 1;
