import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serveSandbox } from '../../../scripts/tests/with-sandbox.ts';
import { packageRoot } from '../../../specs/src/index.ts';
import { expectNoComplaint } from './journey.ts';
import type { Shell } from './shell.ts';

const limits = { packages: 100, megabytes: 70 };
const passed = { shows: /"passed": ?[1-9]/ };

/**
 * Installs the package with npm, measures the installation, and tries what must work in it: commands, library, and both with their peers.
 * @returns a line with the size of the installation
 */
export async function tryInstalled(shell: Shell): Promise<string> {
  writeFileSync(join(shell.folder, 'package.json'), '{ "name": "empty", "private": true }');
  expectNoComplaint(await shell.run('npm install openapi-switchyard'));
  const measured = measureInstallation(join(shell.folder, 'node_modules'));
  await shell.run('npx openapi-switchyard --help', { shows: /Usage: npx openapi-switchyard/ });
  await shell.run('npx openapi-switchyard specs check --brand Acme', { shows: /valid/ });
  await shell.run('npx openapi-switchyard specs build --out built', { shows: /wrote/ });
  await shell.run("npx openapi-switchyard conform --rule 'catalog.*' --json", passed);
  await shell.run('npx openapi-switchyard mock', { code: [3], shows: /npm install .*@stoplight\/prism-cli/ });
  await generateAndCompare(shell);
  await useLibrary(shell);
  link(shell, '@stoplight/prism-cli');
  const suitsPrism = /^v(?:2[4-9]|[3-9]\d)\./.test(await shell.run('node --version'));
  const refused = { code: [3], shows: /the mock needs Prism, which needs Node \d+\.\d+ or newer/ };
  await shell.run(
    "npx openapi-switchyard conform --target mock --rule 'catalog.*' --json",
    suitsPrism ? passed : refused,
  );
  await runAsTests(shell);
  return measured;
}

function measureInstallation(modules: string): string {
  const lockfile: { packages: Record<string, unknown> } = JSON.parse(
    readFileSync(join(modules, '.package-lock.json'), 'utf8'),
  );
  const packages = Object.keys(lockfile.packages).length;
  const bytes = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(modules, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
  const megabytes = bytes / 1e6;
  const measured = `${packages} packages (limit ${limits.packages}), ${megabytes.toFixed(1)} MB (limit ${limits.megabytes})`;
  if (packages > limits.packages || megabytes > limits.megabytes)
    throw new Error(`the installation is too large: ${measured}`);
  return measured;
}

async function generateAndCompare(shell: Shell): Promise<void> {
  const { sandbox, url, close } = await serveSandbox();
  const env = { SWITCHYARD_API_KEY: sandbox.credentials.router.main };
  await shell
    .run(`npx openapi-switchyard generate --router-url ${url} --scope @acme --out packages`, { env })
    .finally(close);
  await shell.run('ls packages/model-router packages/models packages/workflow-execution');
  await shell.run('npx openapi-switchyard diff packages packages', { shows: /0 breaking/ });
}

async function useLibrary(shell: Shell): Promise<void> {
  const code = `import { buildEffectiveSpecs, createSandbox, generate, listen, sandboxCredentials } from 'openapi-switchyard';
const sandbox = createSandbox({ specs: await buildEffectiveSpecs({ brand: 'Acme' }) });
const server = await listen(sandbox);
const source = { routerUrl: server.url, apiKey: sandboxCredentials.router.main, brand: 'Acme', scope: '@acme' };
const { models } = await generate({ ...source, out: 'by-library', only: ['image-provider/still-2.1'] });
await server.close();
console.log(sandbox.brand, models.failed);`;
  writeFileSync(join(shell.folder, 'library.mjs'), code);
  await shell.run('node library.mjs', { shows: /^Acme 0\n$/ });
}

/** Links a peer from this repository, which is faster than installing it. */
function link({ folder }: Shell, name: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(packageRoot(), 'node_modules', name), place);
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

/** Runs the rules as tests of a separate project. With a fault, the tests must fail and name the rule that fails. */
async function runAsTests(shell: Shell): Promise<void> {
  link(shell, 'vitest');
  writeFileSync(join(shell.folder, 'own.test.mjs'), testFile);
  const tests = 'node node_modules/vitest/vitest.mjs run';
  await shell.run(tests, { shows: /passed/ });
  const env = { FAULT: 'model.detail.of-another-model' };
  await shell.run(tests, { env, code: [1], shows: /model\.[a-z.-]+[\s\S]*another/ });
}
