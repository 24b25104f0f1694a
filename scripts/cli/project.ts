import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import picomatch from 'picomatch';
import { parse } from 'yaml';
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
  /** The root of the workspace that the folder is a member of. */
  readonly memberOf: string | undefined;
  /** File that lists the packages of the workspace, even if it doesn't exist yet. */
  readonly workspaceFile: 'package.json' | 'pnpm-workspace.yaml';
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
const installPnpm = ['npm install --global pnpm', 'pnpm install --frozen-lockfile'];
const installBun = ['npm install --global bun', 'bun install --frozen-lockfile'];
const npm: PackageManager = { name: 'npm', run: 'npx', install: ['npm ci'] };
const pnpm: PackageManager = { name: 'pnpm', run: 'pnpm exec', install: installPnpm, range };
const bun: PackageManager = { name: 'bun', run: 'bun run', install: installBun, range };
const yarn: PackageManager = {
  name: 'yarn',
  run: 'yarn',
  install: ['corepack enable', 'yarn install --immutable'],
  range,
};
const installClassic = ['corepack enable', 'yarn install --frozen-lockfile'];
const yarnClassic: PackageManager = { name: 'yarn', run: 'yarn', install: installClassic };

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
  // The manager in the manifest, or else the one whose files exist here.
  const [, namedManager] = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest?.['packageManager'] ?? '')) ?? [];
  const has = (...paths: readonly string[]): boolean => paths.some((path) => read(path) !== undefined);
  let manager = npm;
  if (namedManager === 'pnpm' || (!namedManager && has('pnpm-lock.yaml', 'pnpm-workspace.yaml'))) manager = pnpm;
  else if (namedManager === 'yarn' || (!namedManager && has('yarn.lock')))
    manager = has('.yarnrc.yml') || read('yarn.lock')?.includes('__metadata:') ? yarn : yarnClassic;
  else if (namedManager === 'bun' || (!namedManager && has('bun.lock', 'bun.lockb'))) manager = bun;
  const isOwn = namedManager !== undefined || has('package-lock.json');
  const memberOf = findWorkspaceOf(folder);
  // The files of the manager are in the root of a workspace.
  if (manager === npm && !isOwn && memberOf !== undefined) manager = readProject(memberOf).manager;
  const isPnpm = manager === pnpm;
  return {
    folder,
    manager,
    manifest,
    memberOf,
    isWorkspace: isPnpm ? existsSync(join(folder, 'pnpm-workspace.yaml')) : manifest?.['workspaces'] !== undefined,
    workspaceFile: isPnpm ? 'pnpm-workspace.yaml' : 'package.json',
    read,
  };
}

/** Returns the nearest folder above whose workspace lists this one. */
function findWorkspaceOf(folder: string): string | undefined {
  if (dirname(folder) === folder) return undefined;
  return findAbove(dirname(folder), (root) => {
    const place = relative(root, folder).replaceAll('\\', '/');
    const patterns = listWorkspace(root).map((pattern) => pattern.replace(/^(!?)(?:\.\/)?(.*?)\/*$/, '$1$2'));
    const ignore = patterns.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
    const wanted = patterns.filter((one) => !one.startsWith('!'));
    return picomatch.isMatch(place, wanted, { ignore });
  });
}

/** The patterns of a workspace; empty for any other folder, and for one whose files cannot be read. */
function listWorkspace(root: string): readonly string[] {
  const read = (name: string): unknown => {
    try {
      const file = join(root, name);
      return statSync(file).isFile() ? parse(readFileSync(file, 'utf8')) : undefined; // JSON is YAML
    } catch {
      return undefined;
    }
  };
  const { workspaces } = asObject(read('package.json'));
  const { packages } = asObject(read('pnpm-workspace.yaml') ?? workspaces);
  const patterns = packages ?? workspaces;
  return Array.isArray(patterns) ? patterns.filter((one) => typeof one === 'string') : [];
}

export function dependsOn(name: string, manifest: JsonObject | undefined): boolean {
  const fields = [manifest?.['dependencies'], manifest?.['devDependencies']];
  return fields.some((field) => isJsonObject(field) && name in field);
}
