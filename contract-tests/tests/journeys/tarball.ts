import { posix } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import type { Tarball } from './registry.ts';
import { openShell } from './shell.ts';

const repository = openShell(packageRoot(), {});
// A page for each task, a help text for each command, and the templates of report, site and console are most of them.
const limit = 330;
const hooks = ['preinstall', 'install', 'postinstall'];
const addresses = ['repository', 'homepage', 'bugs'] as const;

/**
 * Checks what would be published: few files, links that lead somewhere, no invented address, types in every resolution mode.
 * @returns a line that says how large it is
 * @throws with every problem
 */
export async function checkTarball(tarball: Tarball): Promise<string> {
  const names = (await repository.run(`tar -tzf ${tarball.file}`))
    .split('\n')
    .filter((name) => name !== '' && !name.endsWith('/'));
  const files = new Set(names.map((name) => name.replace(/^package\//, '')));
  const manifest: Record<string, unknown> = JSON.parse(await readFrom(tarball, 'package.json'));
  const problems = [
    ...(files.size > limit ? [`${files.size} files; the limit is ${limit}`] : []),
    ...[...files].filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name)).map((name) => `${name} does not run`),
    ...(await deadLinks(tarball, files)),
    ...listScripts(manifest)
      .filter((name) => hooks.includes(name))
      .map((name) => `the script ${name} runs at an install`),
    ...(await inventedAddresses(manifest)),
    ...(await soundness(tarball)),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${files.size} files (limit ${limit})`;
}

function readFrom({ file }: Tarball, name: string): Promise<string> {
  return repository.run(`tar -xzOf ${file} package/${name}`);
}

function listScripts({ scripts }: Record<string, unknown>): string[] {
  return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
}

/** Links and pictures of the packed pages. */
async function deadLinks(tarball: Tarball, files: ReadonlySet<string>): Promise<string[]> {
  const problems: string[] = [];
  for (const page of files) {
    if (!page.endsWith('.md')) continue;
    const links = (await readFrom(tarball, page)).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g);
    const linked = [...links].map(([, path = '']) => posix.join(posix.dirname(page), path));
    problems.push(...linked.filter((path) => !files.has(path)).map((path) => `${page} links to ${path}, not packed`));
  }
  return problems;
}

/** An address is real when the repository that this is a clone of has it. */
async function inventedAddresses(manifest: Record<string, unknown>): Promise<string[]> {
  const out = await repository.run('git remote get-url origin', { code: [0, 2, 128] });
  const origin = /([\w.-]+\.[a-z]+)[/:](.+?)(?:\.git)?\s*$/.exec(out)?.slice(1, 3).join('/');
  return addresses
    .filter((name) => manifest[name] !== undefined)
    .filter((name) => origin === undefined || !JSON.stringify(manifest[name]).includes(origin))
    .map((name) => `${name} of package.json is not an address of this repository's origin: leave it out until it is`);
}

async function soundness({ file }: Tarball): Promise<string[]> {
  const lines = [
    `node node_modules/publint/src/cli.js run ${file} --strict`,
    // An ES module alone, which CommonJS imports or, from Node 22 on, requires.
    `node node_modules/@arethetypeswrong/cli/dist/index.js ${file} --ignore-rules cjs-resolves-to-esm`,
  ];
  const found = await Promise.all(lines.map((line) => repository.run(line).then(() => [], listReasons)));
  return found.flat();
}

function listReasons(error: unknown): string[] {
  return [error instanceof Error ? error.message : String(error)];
}
