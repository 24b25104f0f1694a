import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sandboxCredentials } from '../sandbox/src/index.ts';
import { packageRoot } from '../specs/src/index.ts';
import { run } from './run-node.ts';
import { withSandbox } from './with-sandbox.ts';

// Packs the product, installs it in an empty folder and runs it there, as a user of a registry would.
// `--node VERSION` runs the installed commands under that Node, `--manager pnpm` installs with pnpm where that is available.
const limits = { packages: 100, megabytes: 70 };
const { values: options } = parseArgs({
  options: { node: { type: 'string' }, manager: { type: 'string', default: 'npm' } },
});
const root = packageRoot();
const project = mkdtempSync(join(tmpdir(), 'switchyard-install-'));
const modules = join(project, 'node_modules');
const bin = join(modules, 'openapi-switchyard', 'scripts', 'switchyard.mjs');
const npmOptions = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
let node = process.execPath;

type Want = { code: number; shows: RegExp };
const passed: Want = { code: 0, shows: /"passed": ?[1-9]/ };

/** Runs the installed command; the problem when it ends or prints otherwise. */
async function expectRun(args: readonly string[], want: Want, env: Record<string, string> = {}): Promise<string[]> {
  const options = { cwd: project, env: { CI: '', ...env }, timeout: 120_000 };
  const { code, out, err } = await run(node, [bin, ...args], options);
  return code === want.code && want.shows.test(out + err)
    ? []
    : [`switchyard ${args.join(' ')} ended with exit code ${code}: ${out.slice(-500)}${err.slice(-500)}`];
}

/** Packs and installs; the registry is asked only for what the cache does not hold. */
async function install(): Promise<string[]> {
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true }));
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', project], { cwd: root });
  const tarball = join(project, packed.out.trim().split('\n').at(-1) ?? '');
  if (packed.code !== 0) return [`npm pack failed: ${packed.err}`];
  const installed =
    options.manager === 'npm'
      ? await run('npm', ['install', ...npmOptions, tarball], { cwd: project })
      : await run(options.manager, ['add', '--prefer-offline', tarball], { cwd: project });
  return installed.code === 0 ? [] : [`${options.manager} failed: ${installed.out}${installed.err}`];
}

/** Another version of Node, from the package that holds its executable for this platform. */
async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(project, 'another-node');
  mkdirSync(folder);
  const { code, err } = await run('npm', ['install', ...npmOptions, '--prefix', folder, `${name}@${version}`]);
  if (code !== 0) throw new Error(`Node ${version} cannot be installed: ${err}`);
  return join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

function weigh(): string[] {
  const lockfile: { packages: Record<string, unknown> } = JSON.parse(
    readFileSync(join(modules, '.package-lock.json'), 'utf8'),
  );
  const packages = Object.keys(lockfile.packages).length;
  const bytes = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(modules, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
  const megabytes = bytes / 1e6;
  process.stdout.write(
    `installed: ${packages} packages (limit ${limits.packages}), ${megabytes.toFixed(1)} MB (limit ${limits.megabytes})\n`,
  );
  return [
    ...(packages > limits.packages ? [`the install brings ${packages} packages`] : []),
    ...(megabytes > limits.megabytes ? [`the install weighs ${megabytes.toFixed(1)} MB`] : []),
  ];
}

/** Each command that has to work without a peer, with what its output must show. */
async function runCommands(): Promise<string[]> {
  const sources = readdirSync(join(modules, 'openapi-switchyard', 'scripts')).filter((name) => !name.endsWith('.mjs'));
  return [
    ...sources.map((name) => `the package contains the source scripts/${name}`),
    ...(await expectRun(['--help'], { code: 0, shows: /Usage: switchyard/ })),
    ...(await expectRun(['specs', 'check', '--brand', 'Acme'], { code: 0, shows: /sound/ })),
    ...(await expectRun(['specs', 'build', '--out', 'built'], { code: 0, shows: /wrote/ })),
    ...(await expectRun(['conform', '--rule', 'catalog.*', '--json'], passed)),
    ...(await expectRun(['mock'], { code: 3, shows: /npm install .*@stoplight\/prism-cli/ })),
    ...(await runGenerate()),
    ...(await expectRun(['diff', 'packages', 'packages'], { code: 0, shows: /0 breaking/ })),
    ...(await useLibrary()),
  ];
}

async function runGenerate(): Promise<string[]> {
  const env = { SWITCHYARD_API_KEY: sandboxCredentials.router.main };
  const problems = await withSandbox(({ url }) =>
    expectRun(['generate', '--router-url', url, '--out', 'packages'], { code: 0, shows: /models/ }, env),
  );
  const missing = ['model-router', 'models', 'workflow-execution'].filter(
    (name) => !existsSync(join(project, 'packages', name)),
  );
  return [...problems, ...missing.map((name) => `switchyard generate wrote no ${name}`)];
}

async function useLibrary(): Promise<string[]> {
  const code = `import { buildEffectiveSpecs, createSandbox, generate, listen, sandboxCredentials } from 'openapi-switchyard';
    const sandbox = createSandbox({ specs: await buildEffectiveSpecs({ brand: 'Acme' }) });
    const server = await listen(sandbox);
    const source = { routerUrl: server.url, apiKey: sandboxCredentials.router.main, brand: 'Acme', scope: '@acme' };
    const { models } = await generate({ ...source, out: 'by-library', only: ['image-provider/still-2.1'] });
    await server.close();
    console.log(sandbox.brand, models.failed);`;
  const { out, err } = await run(node, ['--input-type=module', '-e', code], { cwd: project });
  return out.trim() === 'Acme 0' ? [] : [`the library answered ${out}${err}`];
}

/** The peer is linked from this repository instead of fetched. */
async function runWithPeer(): Promise<string[]> {
  mkdirSync(join(modules, '@stoplight'), { recursive: true });
  symlinkSync(join(root, 'node_modules', '@stoplight', 'prism-cli'), join(modules, '@stoplight', 'prism-cli'));
  return expectRun(['conform', '--target', 'mock', '--rule', 'catalog.*', '--json'], passed);
}

const testFile = `import { createSandbox, buildEffectiveSpecs, defaultSpecSettings } from 'openapi-switchyard';
import { openTarget } from 'openapi-switchyard/conform';
import { registerRules } from 'openapi-switchyard/vitest';

registerRules(
  async () => {
    const faults = process.env.FAULT === undefined ? [] : [process.env.FAULT];
    const sandbox = createSandbox({ specs: await buildEffectiveSpecs(defaultSpecSettings), faults });
    const { router } = sandbox.credentials;
    return openTarget({ fetch: (request) => sandbox.fetch(request), router: { url: 'http://own.test', credentials: router } });
  },
  { rules: ['model.*', 'catalog.page.*'] },
);
`;

/** Vitest is a peer as well: the rules as tests of a project of its own, which fail on a fault and name its rule. */
async function runAsTests(): Promise<string[]> {
  symlinkSync(join(root, 'node_modules', 'vitest'), join(modules, 'vitest'));
  writeFileSync(join(project, 'own.test.mjs'), testFile);
  const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const problems: string[] = [];
  for (const want of [
    { fault: {}, code: 0, shows: /passed/ },
    { fault: { FAULT: 'model.detail.billing-missing' }, code: 1, shows: /model\.[a-z.-]+[\s\S]*billing/ },
  ]) {
    const env = { CI: '', ...want.fault };
    const { code, out, err } = await run(node, [runner, 'run', '--root', project], {
      cwd: project,
      env,
      timeout: 120_000,
    });
    if (code !== want.code || !want.shows.test(out + err))
      problems.push(`the rules as tests ended with exit code ${code}: ${(out + err).slice(-1_000)}`);
  }
  return problems;
}

async function findProblems(): Promise<string[]> {
  const problems = await install();
  if (problems.length > 0) return problems;
  if (options.node !== undefined) node = await installNode(options.node);
  // Other package managers lay out node_modules in their own way: only npm's is weighed, and takes a linked peer.
  return options.manager === 'npm'
    ? [...weigh(), ...(await runCommands()), ...(await runWithPeer()), ...(await runAsTests())]
    : await runCommands();
}

try {
  const available = (await run(options.manager, ['--version'])).code === 0;
  if (!available) process.stdout.write(`${options.manager} is not available: nothing checked\n`);
  const problems = available ? await findProblems() : [];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(project, { recursive: true, force: true });
}
