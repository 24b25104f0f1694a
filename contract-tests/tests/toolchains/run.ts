import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { type ServedSandbox, withSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { attempt } from '../attempt.ts';
import { endGroup, freePort, runScript } from '../pages/project.ts';
import { answered } from './application.ts';
import { credentialsOf, writeApplication } from './generated-folder.ts';
import { readMatrix, tryRow, writeProjects } from './matrix.ts';
import { type Toolchain, toolchains } from './toolchains.ts';

// Builds an application with each toolchain, runs it against a sandbox, and checks that its result is the one without a build. Names,
// such as `Metro`, `next-14, build` or `TypeScript`, run only those. `--in FOLDER` keeps the installation there and uses it the next time.
const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { in: { type: 'string' } },
});
const chosen = toolchains.filter(({ name }) => names.length === 0 || names.includes(name));
const root = options.in ?? mkdtempSync(join(tmpdir(), 'switchyard-toolchains-'));
const hasMatrix = names.length === 0 || names.includes('TypeScript');
const problems: string[] = chosen.length === 0 && !hasMatrix ? [`no toolchain is called ${names.join(' or ')}`] : [];

async function install(): Promise<void> {
  if (existsSync(join(root, 'node_modules'))) return;
  const source = join(packageRoot(), 'contract-tests/tests/toolchains');
  const manifest: { workspaces: string[] } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  for (const path of ['package.json', 'package-lock.json', ...manifest.workspaces])
    cpSync(join(source, path), join(root, path), { recursive: true });
  const script = 'npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error';
  const { code, output } = await runScript(script, root);
  if (code !== 0) throw new Error(output);
}

/** Throws if the result of the built application differs from the result without a build. */
async function tryToolchain(toolchain: Toolchain, served: ServedSandbox): Promise<undefined> {
  const folder = join(root, toolchain.workspace, 'application');
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(root, 'application'), folder, { recursive: true });
  const manifest = { name: 'application', private: true, version: '1.0.0', type: 'commonjs' };
  const files = { 'package.json': JSON.stringify(manifest), ...toolchain.files };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const groups: number[] = [];
  const env = { GIVEN: JSON.stringify(credentialsOf(served)), PORT: await freePort() };
  try {
    const { code, output } = await runScript(toolchain.script, folder, { env, groups });
    if (code !== 0) throw new Error(`exit code ${code}: ${output.slice(-3_000)}`);
    const answer = readFileSync(join(folder, 'answer.json'), 'utf8');
    if (!isDeepStrictEqual(JSON.parse(answer), answered)) throw new Error(`the application returned ${answer}`);
  } finally {
    for (const group of groups) endGroup(group);
  }
}

/** Tries the table of the page about platforms with each installed compiler. */
async function tryMatrix(served: ServedSandbox): Promise<void> {
  const projects = join(root, 'projects');
  await writeProjects(projects, served);
  const rows = readMatrix(readFileSync(join(packageRoot(), 'docs/reference/platforms.md'), 'utf8'));
  const compilers = readdirSync(join(root, 'node_modules')).filter((name) => name.startsWith('typescript-'));
  for (const compiler of compilers) {
    const version = Number(compiler.slice('typescript-'.length));
    for (const row of rows.filter(({ versions: [from, to] }) => from <= version && version <= to)) {
      const name = `TypeScript ${version.toFixed(1)}, ${row.type}, ${row.module}, ${row.moduleResolution}`;
      const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
      problems.push(...(await attempt(name, () => tryRow(projects, tsc, row))));
    }
  }
  if (rows.length === 0 || compilers.length === 0)
    problems.push('the page has no table rows, or no compiler is installed');
}

try {
  await install();
  await withSandbox(async (served) => {
    await writeApplication(join(root, 'application'), served);
    for (const toolchain of chosen)
      problems.push(...(await attempt(toolchain.name, () => tryToolchain(toolchain, served))));
    if (hasMatrix) await tryMatrix(served);
  });
} finally {
  if (options.in === undefined) rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
