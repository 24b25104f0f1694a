import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate, nodePorts, renderReport } from '../../generator/src/index.ts';
import { packageRoot } from '../../specs/src/index.ts';
import { runNode } from '../run-node.ts';
import { configureGeneration, withSandbox } from './with-sandbox.ts';

// Checks the committed packages: generating them again makes no difference, they compile, and users can import them.
const root = packageRoot();

// Checks every resolution mode. CommonJS code can import the packages, which only contain ES modules, or require them since Node 22.
const allModes = ['--ignore-rules', 'cjs-resolves-to-esm'];

async function checkIsUpToDate(): Promise<boolean> {
  const cacheDir = mkdtempSync(join(tmpdir(), 'switchyard-check-'));
  try {
    const report = await withSandbox((served) =>
      generate(configureGeneration(served, { outDir: join(root, 'generated'), cacheDir }, 'check'), nodePorts()),
    );
    const passed = !report.changed && report.models.failed === 0;
    if (!passed)
      process.stdout.write(
        `${renderReport(report)}generated/ is outdated: run npm run quickstart and commit the result\n`,
      );
    return passed;
  } finally {
    rmSync(cacheDir, { recursive: true, force: true });
  }
}

/** Compiles the packages in strict mode with both compilers that users have. */
async function checkCompilation(): Promise<boolean> {
  const compilers = ['typescript', 'typescript-7'].map((name) => join('node_modules', name, 'bin', 'tsc'));
  const project = join('generated', 'tsconfig.json');
  return (await Promise.all(compilers.map((file) => runCheck([file, '-p', project, '--noEmit'])))).every(Boolean);
}

/** Checks that the exports of a package resolve, and that its declarations match its code. */
async function checkExports(name: string): Promise<boolean> {
  const folder = join('generated', name);
  // The manifest lists the models' subpaths as a pattern, which the tool does not expand.
  const subpaths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap(
    (file) => /^(.+)\.schema\.json$/.exec(file)?.[1] ?? [],
  );
  const include = subpaths.length > 0 ? ['--include-entrypoints', ...subpaths] : [];
  const typeCheck = 'node_modules/@arethetypeswrong/cli/dist/index.js';
  return (
    existsSync(join(folder, 'package.json')) &&
    (await runCheck(['node_modules/publint/src/cli.js', folder, '--strict'])) &&
    (await runCheck([typeCheck, '--pack', folder, ...allModes, ...include]))
  );
}

/** Runs a JavaScript file in the root of the repository and prints the output when it fails. */
async function runCheck(command: readonly string[]): Promise<boolean> {
  const { code, out, err } = await runNode(command, { cwd: root });
  if (code !== 0) process.stdout.write(`${command.join(' ')}: ${out}${err}`);
  return code === 0;
}

const packages = ['model-router', 'workflow-execution', 'models'];
const results = [await checkIsUpToDate(), await checkCompilation(), ...(await Promise.all(packages.map(checkExports)))];
process.exitCode = results.every(Boolean) ? 0 : 1;
