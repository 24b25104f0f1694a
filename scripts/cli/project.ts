import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../specs/src/index.ts';
import { toMessage, UsageError } from './errors.ts';

/** The folder of a project that uses switchyard. */
export type Project = {
  readonly folder: string;
  readonly manager: PackageManager;
  /** The package.json; undefined in a folder without one. */
  readonly manifest: JsonObject | undefined;
  /** True if the folder is the root of a workspace. */
  readonly isWorkspace: boolean;
  /** The file that lists the packages of the workspace, or would list them. */
  readonly workspaceFile: 'package.json' | 'pnpm-workspace.yaml';
  /** Returns the text of a file; undefined if it doesn't exist. */
  read(path: string): string | undefined;
};

type PackageManager = {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Commands with which CI installs the dependencies. */
  readonly install: readonly string[];
  /** Runs a command of an installed package. */
  readonly run: string;
  /** The version range of a package of the workspace; undefined if every package of it can be imported without one. */
  readonly range?: 'workspace:*';
};

const npm: PackageManager = { name: 'npm', run: 'npx', install: ['npm ci'] };
const pnpm: PackageManager = {
  name: 'pnpm',
  run: 'pnpm exec',
  install: ['npm install --global pnpm', 'pnpm install --frozen-lockfile'],
  range: 'workspace:*',
};
const bun: PackageManager = {
  name: 'bun',
  run: 'bun run',
  install: ['npm install --global bun', 'bun install --frozen-lockfile'],
  range: 'workspace:*',
};
const yarnClassic: PackageManager = {
  name: 'yarn',
  run: 'yarn',
  install: ['corepack enable', 'yarn install --frozen-lockfile'],
};
const yarn: PackageManager = {
  name: 'yarn',
  run: 'yarn',
  install: ['corepack enable', 'yarn install --immutable'],
  range: 'workspace:*',
};

/** Reads the package.json of a folder, its package manager and its workspace. Throws UsageError for files that cannot be read. */
export function readProject(folder: string): Project {
  const read = (path: string): string | undefined => {
    const file = join(folder, path);
    const found = statSync(file, { throwIfNoEntry: false });
    // A pipe, or a link to a device, might never end.
    if (found?.isFile() === false) throw new UsageError(`${file} is not a file: move it away first`);
    return found && readFileSync(file, 'utf8');
  };
  let manifest: JsonObject | undefined;
  const text = read('package.json');
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    if (isJsonObject(value)) manifest = value;
    else if (value !== undefined) throw new Error('it must be an object');
  } catch (cause) {
    const because = toMessage(cause);
    throw new UsageError(`${join(folder, 'package.json')} cannot be used: correct it first (${because})`, { cause });
  }
  // The manager that the manifest names, else the one whose files are here.
  const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest?.['packageManager'] ?? '')) ?? [];
  const has = (...paths: readonly string[]): boolean => paths.some((path) => read(path) !== undefined);
  let manager = npm;
  if (named === 'pnpm' || (!named && has('pnpm-lock.yaml', 'pnpm-workspace.yaml'))) manager = pnpm;
  else if (named === 'yarn' || (!named && has('yarn.lock')))
    manager = has('.yarnrc.yml') || read('yarn.lock')?.includes('__metadata:') ? yarn : yarnClassic;
  else if (named === 'bun' || (!named && has('bun.lock', 'bun.lockb'))) manager = bun;
  const isPnpm = manager === pnpm;
  return {
    folder,
    manager,
    manifest,
    isWorkspace: isPnpm ? existsSync(join(folder, 'pnpm-workspace.yaml')) : manifest?.['workspaces'] !== undefined,
    workspaceFile: isPnpm ? 'pnpm-workspace.yaml' : 'package.json',
    read,
  };
}

export function dependsOn(name: string, manifest: JsonObject | undefined): boolean {
  const fields = [manifest?.['dependencies'], manifest?.['devDependencies']];
  return fields.some((field) => isJsonObject(field) && name in field);
}
