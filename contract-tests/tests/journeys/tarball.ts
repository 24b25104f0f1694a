import { posix } from 'node:path';
import { packageRoot } from '../../../specs/src/index.ts';
import type { Tarball } from './registry.ts';
import { openShell } from './shell.ts';

const repository = openShell(packageRoot(), {});
// Most files are pages for tasks, help texts of commands, and templates of the report, the site and the console.
const maxFiles = 330;
const hooks = ['preinstall', 'install', 'postinstall'];
const addresses = ['repository', 'homepage', 'bugs'] as const;

/**
 * Checks the package to publish: few files, no dead links, no invented addresses, types in every resolution mode.
 * @returns a line with the number of its files
 * @throws an error that lists all problems
 */
export async function checkTarball(tarball: Tarball): Promise<string> {
  const names = (await repository.run(`tar -tzf ${tarball.file}`))
    .split('\n')
    .filter((name) => name !== '' && !name.endsWith('/'));
  const files = new Set(names.map((name) => name.replace(/^package\//, '')));
  const manifest: Record<string, unknown> = JSON.parse(await readFrom(tarball, 'package.json'));
  const problems = [
    ...(files.size > maxFiles ? [`${files.size} files; the limit is ${maxFiles}`] : []),
    ...[...files]
      .filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name))
      .map((name) => `${name} is a test or a source file, which must not be packed`),
    ...(await deadLinks(tarball, files)),
    ...listScripts(manifest)
      .filter((name) => hooks.includes(name))
      .map((name) => `the script ${name} would run at each installation`),
    ...(await inventedAddresses(manifest)),
    ...(await findTypeProblems(tarball)),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${files.size} files (limit ${maxFiles})`;
}

function readFrom({ file }: Tarball, name: string): Promise<string> {
  return repository.run(`tar -xzOf ${file} package/${name}`);
}

function listScripts({ scripts }: Record<string, unknown>): string[] {
  return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
}

/** Finds links and pictures in packed pages that refer to files that are not packed. */
async function deadLinks(tarball: Tarball, files: ReadonlySet<string>): Promise<string[]> {
  const problems: string[] = [];
  for (const page of files) {
    if (!page.endsWith('.md')) continue;
    const links = (await readFrom(tarball, page)).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g);
    const linked = [...links].map(([, path = '']) => posix.join(posix.dirname(page), path));
    problems.push(
      ...linked.filter((path) => !files.has(path)).map((path) => `${page} links to ${path}, which is not packed`),
    );
  }
  return problems;
}

/** Finds addresses in the manifest that are not addresses of the repository that this checkout was cloned from. */
async function inventedAddresses(manifest: Record<string, unknown>): Promise<string[]> {
  const out = await repository.run('git remote get-url origin', { code: [0, 2, 128] });
  const origin = /([\w.-]+\.[a-z]+)[/:](.+?)(?:\.git)?\s*$/.exec(out)?.slice(1, 3).join('/');
  return addresses
    .filter((name) => manifest[name] !== undefined)
    .filter((name) => origin === undefined || !JSON.stringify(manifest[name]).includes(origin))
    .map((name) => `${name} of package.json is not an address of this repository's origin: remove it until it is`);
}

async function findTypeProblems({ file }: Tarball): Promise<string[]> {
  const lines = [
    `node node_modules/publint/src/cli.js run ${file} --strict`,
    // The package only has ES modules, which CommonJS can import and, since Node 22, require.
    `node node_modules/@arethetypeswrong/cli/dist/index.js ${file} --ignore-rules cjs-resolves-to-esm`,
  ];
  const found = await Promise.all(lines.map((line) => repository.run(line).then(() => [], listReasons)));
  return found.flat();
}

function listReasons(error: unknown): string[] {
  return [error instanceof Error ? error.message : String(error)];
}
