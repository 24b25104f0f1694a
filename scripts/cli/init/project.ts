import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { toMessage, UsageError } from '../errors.ts';

/** What `init` needs to know of the folder it wires. */
export type Project = {
  readonly folder: string;
  readonly manager: PackageManager;
  /** Undefined in a folder without a manifest. */
  readonly manifest: JsonObject | undefined;
  /** Whether the folder is the root of a workspace, and where its packages are listed, or would be. */
  readonly isWorkspace: boolean;
  readonly workspaceFile: 'package.json' | 'pnpm-workspace.yaml';
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
};

type PackageManager = {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** How CI gets the dependencies, and before them a manager that does not come with Node. */
  readonly install: readonly string[];
  /** Runs a command of an installed package. */
  readonly run: string;
  /** The range that names a package of the workspace; undefined where every package of it can be imported unasked. */
  readonly range: string | undefined;
};

const linked = 'workspace:*';
const npm = describeManager('npm', 'npx', 'npm ci');
const pnpmInstall = 'npm install --global pnpm && pnpm install --frozen-lockfile';
const pnpm = describeManager('pnpm', 'pnpm exec', pnpmInstall, linked);
const yarnClassic = describeManager('yarn', 'yarn', 'corepack enable && yarn install --frozen-lockfile');
const yarn = describeManager('yarn', 'yarn', 'corepack enable && yarn install --immutable', linked);
const bunInstall = 'npm install --global bun && bun install --frozen-lockfile';
const bun = describeManager('bun', 'bun run', bunInstall, linked);

function describeManager(name: PackageManager['name'], run: string, install: string, range?: string): PackageManager {
  return { name, install: install.split(' && '), run, range };
}

export function readProject(folder: string): Project {
  const read = (path: string): string | undefined => {
    const file = join(folder, path);
    const found = statSync(file, { throwIfNoEntry: false });
    // A pipe, or a link to a device, need not have an end.
    if (found?.isFile() === false) throw new UsageError(`${file} is no file: move it away first`);
    return found && readFileSync(file, 'utf8');
  };
  const manifest = parseManifest(read('package.json'), join(folder, 'package.json'));
  const manager = findManager(manifest, read);
  const workspaceFile = manager === pnpm ? 'pnpm-workspace.yaml' : 'package.json';
  return {
    folder,
    manager,
    manifest,
    isWorkspace: manager === pnpm ? read(workspaceFile) !== undefined : manifest?.['workspaces'] !== undefined,
    workspaceFile,
    ci: existsSync(join(folder, '.github')) ? 'github' : read('.gitlab-ci.yml') === undefined ? undefined : 'gitlab',
    read,
  };
}

function parseManifest(text: string | undefined, file: string): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new UsageError(`${file} is no JSON: mend it first (${toMessage(cause)})`, { cause });
  }
  throw new UsageError(`${file} holds no object: mend it first`);
}

const lockfiles = {
  pnpm: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
};

/** As the manifest says, else by the files that a manager leaves. */
function findManager(manifest: JsonObject | undefined, read: Project['read']): PackageManager {
  const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest?.['packageManager'] ?? '')) ?? [];
  const [found] = Object.entries(lockfiles).find(([, files]) => files.some((file) => read(file) !== undefined)) ?? [];
  switch (named ?? found) {
    case 'pnpm':
      return pnpm;
    case 'yarn':
      return read('.yarnrc.yml') !== undefined || read('yarn.lock')?.includes('__metadata:') ? yarn : yarnClassic;
    case 'bun':
      return bun;
    default:
      return npm;
  }
}

export function dependsOn(name: string, manifest: JsonObject | undefined): boolean {
  const fields = [manifest?.['dependencies'], manifest?.['devDependencies']];
  return fields.some((field) => isJsonObject(field) && name in field);
}
