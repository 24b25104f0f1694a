import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asObject, findAbove, isJsonObject, type JsonObject } from '../../specs/src/index.ts';
import { toMessage, UsageError } from './errors.ts';

/** The folder of a project that uses switchyard. */
export type Project = {
  readonly folder: string;
  readonly manager: PackageManager;
  /** The package.json; undefined in a folder without one. */
  readonly manifest: JsonObject | undefined;
  /** True if the folder is the root of a workspace. */
  readonly isWorkspace: boolean;
  /** The nearest workspace above the folder. */
  readonly memberOf: string | undefined;
  /** Returns the text of a file; undefined if it doesn't exist. */
  read(path: string): string | undefined;
};

type PackageManager = {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Commands that install the dependencies in CI. */
  readonly install: readonly string[];
  /** Command that runs an installed package. */
  readonly run: string;
  /** Version range for packages of the workspace; undefined if they can be imported without one. */
  readonly range?: 'workspace:*';
};

const range = 'workspace:*';
const npm: PackageManager = { name: 'npm', run: 'npx', install: ['npm ci'] };
const pnpm: PackageManager = {
  name: 'pnpm',
  run: 'pnpm exec',
  install: ['npm install --global pnpm', 'pnpm install --frozen-lockfile'],
  range,
};
const yarn: PackageManager = {
  name: 'yarn',
  run: 'yarn',
  install: ['corepack enable', 'yarn install --immutable'],
  range,
};
const yarnClassic: PackageManager = {
  name: 'yarn',
  run: 'yarn',
  install: ['corepack enable', 'yarn install --frozen-lockfile'],
};
const bun: PackageManager = {
  name: 'bun',
  run: 'bun run',
  install: ['npm install --global bun', 'bun install --frozen-lockfile'],
  range,
};

/** Reads a folder's package.json, package manager and workspace. Throws UsageError for unreadable files. */
export function readProject(folder: string): Project {
  const read = (path: string): string | undefined => {
    const file = join(folder, path);
    const stats = statSync(file, { throwIfNoEntry: false });
    // A pipe, or a link to a device, may never end.
    if (stats?.isFile() === false) throw new UsageError(`${file} is not a regular file: move it away first`);
    return stats && readFileSync(file, 'utf8');
  };
  let manifest: JsonObject | undefined;
  const text = read('package.json');
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    if (isJsonObject(value)) manifest = value;
    else if (value !== undefined) throw new Error('it must be an object');
  } catch (cause) {
    const because = toMessage(cause);
    throw new UsageError(`${join(folder, 'package.json')} is invalid (${because}): correct it first`, { cause });
  }
  const memberOf = dirname(folder) === folder ? undefined : findAbove(dirname(folder), isWorkspaceRoot);
  // The manager in the manifest, or the one whose files exist here, or that of the workspace.
  const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest?.['packageManager'] ?? '')) ?? [];
  const has = (...paths: readonly string[]): boolean => paths.some((path) => read(path) !== undefined);
  let manager = npm;
  if (named === 'pnpm' || (!named && has('pnpm-lock.yaml', 'pnpm-workspace.yaml'))) manager = pnpm;
  else if (named === 'yarn' || (!named && has('yarn.lock')))
    manager = has('.yarnrc.yml') || read('yarn.lock')?.includes('__metadata:') ? yarn : yarnClassic;
  else if (named === 'bun' || (!named && has('bun.lock', 'bun.lockb'))) manager = bun;
  else if (!named && !has('package-lock.json') && memberOf !== undefined) manager = readProject(memberOf).manager;
  const isWorkspace = manager === pnpm ? has('pnpm-workspace.yaml') : manifest?.['workspaces'] !== undefined;
  return { folder, manager, manifest, memberOf, isWorkspace, read };
}

/** True for a folder with a file that lists the packages of a workspace. */
function isWorkspaceRoot(folder: string): boolean {
  if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return true;
  try {
    const file = join(folder, 'package.json');
    return statSync(file).isFile() && asObject(JSON.parse(readFileSync(file, 'utf8')))['workspaces'] !== undefined;
  } catch {
    return false;
  }
}
