import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toMessage, UsageError } from '../errors.ts';

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';
export type Manifest = Record<string, unknown>;

/** What `init` needs to know of the folder it wires. */
export type Project = {
  readonly folder: string;
  readonly manager: PackageManager;
  /** Undefined in a folder without a manifest. */
  readonly manifest: Manifest | undefined;
  /** The file that lists the packages of a workspace; undefined where the folder is none. */
  readonly workspaceFile: 'package.json' | 'pnpm-workspace.yaml' | undefined;
  readonly usesPrettier: boolean;
  readonly ci: 'github' | 'gitlab' | undefined;
  /** The text of a file; undefined when there is none. */
  read(path: string): string | undefined;
};

/** What a person, or the flags, decided. */
export type InitChoices = {
  readonly routerUrl: string;
  /** Relative to the project, with `/`. */
  readonly out: string;
  /** Undefined for a folder of plain files. */
  readonly scope: string | undefined;
  readonly ci: 'github' | 'gitlab' | 'none';
  /** Of switchyard. */
  readonly version: string;
};

const lockfiles: readonly (readonly [file: string, manager: PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];

export function readProject(folder: string): Project {
  const has = (path: string): boolean => existsSync(join(folder, path));
  const read = (path: string): string | undefined => (has(path) ? readFileSync(join(folder, path), 'utf8') : undefined);
  const manifest = parseManifest(read('package.json'), join(folder, 'package.json'));
  const manager = managerOf(manifest) ?? lockfiles.find(([file]) => has(file))?.[1] ?? 'npm';
  const isNpmWorkspace = manifest?.['workspaces'] !== undefined;
  const isPnpmWorkspace = manager === 'pnpm' && has('pnpm-workspace.yaml');
  return {
    folder,
    manager,
    manifest,
    workspaceFile: isPnpmWorkspace ? 'pnpm-workspace.yaml' : isNpmWorkspace ? 'package.json' : undefined,
    usesPrettier: has('.prettierignore') || dependenciesOf(manifest).has('prettier'),
    ci: has('.github') ? 'github' : has('.gitlab-ci.yml') ? 'gitlab' : undefined,
    read,
  };
}

function parseManifest(text: string | undefined, file: string): Manifest | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (cause) {
    throw new UsageError(`${file} is no JSON: mend it first (${toMessage(cause)})`, { cause });
  }
  throw new UsageError(`${file} holds no object: mend it first`);
}

function managerOf(manifest: Manifest | undefined): PackageManager | undefined {
  const [, name] = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest?.['packageManager'] ?? '')) ?? [];
  return name as PackageManager | undefined; // one of the four words
}

export function dependenciesOf(manifest: Manifest | undefined): ReadonlySet<string> {
  const fields = [manifest?.['dependencies'], manifest?.['devDependencies']].filter(isRecord);
  return new Set(fields.flatMap((field) => Object.keys(field)));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Commands = {
  /** As CI installs, without a change of the lockfile. */
  readonly install: string;
  readonly add: string;
  /** Runs a command of an installed package. */
  run(words: string): string;
};

/** The range that names a package of the workspace; undefined where every package of it can be imported unasked. */
export function workspaceRange({ manager, read }: Pick<Project, 'manager' | 'read'>): string | undefined {
  return manager === 'npm' || (manager === 'yarn' && isYarnClassic(read)) ? undefined : 'workspace:*';
}

function isYarnClassic(read: Project['read']): boolean {
  return read('.yarnrc.yml') === undefined && !(read('yarn.lock') ?? '').includes('__metadata:');
}

export function commandsOf({ manager, read }: Pick<Project, 'manager' | 'read'>): Commands {
  const commands: Record<PackageManager, Commands> = {
    npm: { install: 'npm ci', add: 'npm install', run: (words) => `npx ${words}` },
    pnpm: { install: 'pnpm install --frozen-lockfile', add: 'pnpm install', run: (words) => `pnpm exec ${words}` },
    yarn: {
      install: `yarn install ${isYarnClassic(read) ? '--frozen-lockfile' : '--immutable'}`,
      add: 'yarn install',
      run: (words) => `yarn ${words}`,
    },
    bun: { install: 'bun install --frozen-lockfile', add: 'bun install', run: (words) => `bun run ${words}` },
  };
  return commands[manager];
}
