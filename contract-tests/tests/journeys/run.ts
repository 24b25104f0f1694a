import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../../specs/src/index.ts';
import { follow } from './follow.ts';
import { tryInstalled } from './installed.ts';
import { travel } from './journey.ts';
import { type Manager, managers } from './managers.ts';
import { packProduct, serveRegistry } from './registry.ts';
import type { Shell } from './shell.ts';
import { checkTarball } from './tarball.ts';
import { openWorkplace } from './workplace.ts';

// Packs the product, serves it from a local registry, and uses it as a user of a registry would, from an empty folder on.
// `--manager NAME` and `--node VERSION` may be repeated; `--all` takes all managers, on the oldest Node and the newest.
const { values: options } = parseArgs({
  options: {
    manager: { type: 'string', multiple: true, default: ['npm', 'pnpm'] },
    node: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
  },
});
const wanted = options.all ? managers : managers.filter(({ name }) => options.manager.includes(name));
const nodeVersions = options.node ?? (options.all ? ['22.18.0', '24.18.0'] : [undefined]);

// What a CI system or `npm run` sets for other programs changes what package managers do.
const foreign =
  /^(?:npm_(?!config_registry$)|SWITCHYARD_|YARN_|GITHUB_|GITLAB_)|^(?:CI|CONTINUOUS_INTEGRATION|BUILD_ID|BUILD_NUMBER)$/i;
for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name];

let failed = wanted.length === 0;
const folder = mkdtempSync(join(tmpdir(), 'switchyard-install-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

async function attempt(name: string, use: () => Promise<string>): Promise<void> {
  const started = performance.now();
  const result = await use().then(
    (text) => ({ passed: true, text }),
    (error: unknown) => ({ passed: false, text: error instanceof Error ? error.message : String(error) }),
  );
  failed ||= !result.passed;
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  process.stdout.write(`${result.passed ? 'ok  ' : 'FAIL'} ${name} (${seconds} s): ${result.text}\n`);
}

async function inWorkplace(
  manager: Manager,
  nodeVersion: string | undefined,
  use: (shell: Shell) => Promise<string>,
): Promise<string> {
  const shell = await openWorkplace(manager, { folder, registryUrl: registry.url, nodeVersion });
  if (!('problem' in shell)) return use(shell);
  if (manager.isRequired) throw new Error(shell.problem);
  return `not tried: ${shell.problem}`;
}

const tarball = await packProduct(packageRoot(), folder);
const registry = await serveRegistry(tarball);
try {
  await attempt('tarball', () => checkTarball(tarball));
  for (const version of nodeVersions) {
    const label = version === undefined ? '' : ` on Node ${version}`;
    for (const manager of wanted) {
      await attempt(`journey with ${manager.name}${label}`, () =>
        inWorkplace(manager, version, (shell) => travel(manager, shell)),
      );
      if (manager.name !== 'npm') continue;
      await attempt(`installed with npm${label}`, () => inWorkplace(manager, version, tryInstalled));
      // npm 11 makes a project of CommonJS modules; a folder without a manifest has no type.
      await attempt(`README.md as printed, after npm init${label}`, () =>
        inWorkplace(manager, version, async (shell) => {
          await shell.run('npm init --yes');
          return follow('README.md', shell);
        }),
      );
      for (const page of options.all ? ['README.md', 'docs/tutorial.md'] : ['README.md'])
        await attempt(`${page} as printed${label}`, () =>
          inWorkplace(manager, version, (shell) => follow(page, shell)),
        );
    }
  }
} finally {
  await registry.close();
}
process.exitCode = failed ? 1 : 0;
