import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import { packageRoot } from '../../../specs/src/index.ts';
import { attempt } from '../attempt.ts';
import { pageScript } from '../pages/page-script.ts';
import { endGroup, freePort, runScript } from '../pages/project.ts';
import { leaveOut } from '../runtimes/runtimes.ts';
import { tryInstalled } from './installed.ts';
import { travel } from './journey.ts';
import { type Manager, managers, npm } from './managers.ts';
import { packProduct, serveRegistry } from './registry.ts';
import type { Shell } from './shell.ts';
import { checkTarball } from './tarball.ts';
import { openWorkplace } from './workplace.ts';

// Packs the product, serves it from a local registry, and uses it like a user who installs it into an empty folder.
// `--manager NAME` tries the journey with a package manager instead. It and `--node VERSION` may be repeated. `--all` tries all
// managers with the oldest and the newest Node, and all pages.
const { values: options } = parseArgs({
  options: {
    manager: { type: 'string', multiple: true, default: [] },
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

const folder = mkdtempSync(join(tmpdir(), 'switchyard-install-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

type Journey = { readonly name: string; readonly manager: Manager; readonly use: (shell: Shell) => Promise<string> };

/** Lists what to try, each in an empty folder. */
function listJourneys(): Journey[] {
  const journeys = wanted.map((manager): Journey => {
    return { name: `journey with ${manager.name}`, manager, use: (shell) => travel(manager, shell) };
  });
  if (options.manager.length > 0) return journeys;
  const pages = options.all ? ['README.md', 'docs/tutorial.md'] : [];
  return [
    ...journeys,
    { name: 'installed with npm', manager: npm, use: tryInstalled },
    {
      name: 'README.md as printed, after npm init',
      manager: npm,
      // npm 11 makes a project of CommonJS modules; a folder without a manifest has no type.
      use: async (shell) => {
        await shell.run('npm init --yes');
        return follow('README.md', shell);
      },
    },
    ...pages.map((page): Journey => {
      return { name: `${page} as printed`, manager: npm, use: (shell) => follow(page, shell) };
    }),
  ];
}

/** Runs a journey in an empty folder, and prints the result. */
function attemptJourney({ name, manager, use }: Journey, nodeVersion: string | undefined) {
  const label = nodeVersion === undefined ? '' : ` on Node ${nodeVersion}`;
  return attempt(`${name}${label}`, async () => {
    const shell = await openWorkplace(manager, { folder, registryUrl: registry.url, nodeVersion });
    return 'problem' in shell ? leaveOut(manager, shell.problem) : use(shell);
  });
}

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
let failed: string[];
try {
  const journeys = nodeVersions.flatMap((version) =>
    listJourneys().map((journey) => () => attemptJourney(journey, version)),
  );
  const steps = [...journeys, () => attempt('tarball', () => checkTarball(tarball))];
  // Package managers wait for the network and the disk much of the time.
  failed = (await pMap(steps, (step) => step(), { concurrency: 2 })).flat();
} finally {
  await registry.close();
}
process.exitCode = failed.length === 0 && wanted.length >= options.manager.length ? 0 : 1;
