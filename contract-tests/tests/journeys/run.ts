import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../../specs/src/index.ts';
import { attempt } from '../attempt.ts';
import { pageScript } from '../pages/page-script.ts';
import { endGroup, freePort, runScript } from '../pages/project.ts';
import { leaveOut } from '../runtimes/runtimes.ts';
import { tryInstalled } from './installed.ts';
import { travel } from './journey.ts';
import { type Manager, managers } from './managers.ts';
import { packProduct, serveRegistry } from './registry.ts';
import type { Shell } from './shell.ts';
import { checkTarball } from './tarball.ts';
import { openWorkplace } from './workplace.ts';

// Packs the product, serves it from a local registry, and uses it like a user who installs it into an empty folder.
// `--manager NAME` and `--node VERSION` may be repeated; `--all` tries all managers with the oldest and the newest Node, and all pages.
const { values: options } = parseArgs({
  options: {
    manager: { type: 'string', multiple: true, default: ['npm'] },
    node: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
  },
});
const wanted = options.all ? managers : managers.filter(({ name }) => options.manager.includes(name));
const nodeVersions = options.node ?? (options.all ? ['22.18.0', '24.18.0'] : [undefined]);

// Variables of a CI system or of `npm run` would change the behaviour of package managers, so they are deleted.
const foreign =
  /^(?:npm_(?!config_registry$)|SWITCHYARD_|YARN_|GITHUB_|GITLAB_)|^(?:CI|CONTINUOUS_INTEGRATION|BUILD_ID|BUILD_NUMBER)$/i;
for (const name of Object.keys(process.env)) if (foreign.test(name)) delete process.env[name];

const failed: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'switchyard-install-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Runs `use` in an empty folder with a package manager, and prints the result. */
async function attemptWith(manager: Manager, nodeVersion: string | undefined, name: string, use: Use): Promise<void> {
  const label = nodeVersion === undefined ? '' : ` on Node ${nodeVersion}`;
  const work = async (): Promise<string> => {
    const shell = await openWorkplace(manager, { folder, registryUrl: registry.url, nodeVersion });
    return 'problem' in shell ? leaveOut(manager, shell.problem) : use(shell);
  };
  failed.push(...(await attempt(`${name}${label}`, work)));
}
type Use = (shell: Shell) => Promise<string>;

/**
 * Runs the commands of a page in an empty folder, with a package manager that installs the packed package from the registry. Only the
 * ports of the page are replaced.
 * @returns the output of the page's last program
 * @throws an error that names the line of the page whose exit code differs from the page
 */
async function follow(page: string, { folder, env }: Shell): Promise<string> {
  const ports: Record<string, string> = { 4010: await freePort(), 4011: await freePort() };
  const script = pageScript(page, (text) => text.replace(/\b401[01]\b/g, (port) => ports[port] ?? port));
  const groups: number[] = [];
  try {
    const { code, output } = await runScript(script, folder, { env, groups });
    if (code !== 0) throw new Error(output.slice(-3_000));
    return output.trimEnd().split('\n').at(-1) ?? '';
  } finally {
    for (const group of groups) endGroup(group);
  }
}

const tarball = await packProduct(packageRoot(), folder);
const registry = await serveRegistry(tarball);
try {
  failed.push(...(await attempt('tarball', () => checkTarball(tarball))));
  for (const version of nodeVersions)
    for (const manager of wanted) {
      await attemptWith(manager, version, `journey with ${manager.name}`, (shell) => travel(manager, shell));
      if (manager.name !== 'npm') continue;
      await attemptWith(manager, version, 'installed with npm', tryInstalled);
      // npm 11 makes a project of CommonJS modules; a folder without a manifest has no type.
      await attemptWith(manager, version, 'README.md as printed, after npm init', async (shell) => {
        await shell.run('npm init --yes');
        return follow('README.md', shell);
      });
      for (const page of options.all ? ['README.md', 'docs/tutorial.md'] : [])
        await attemptWith(manager, version, `${page} as printed`, (shell) => follow(page, shell));
    }
} finally {
  await registry.close();
}
process.exitCode = failed.length === 0 && wanted.length > 0 ? 0 : 1;
