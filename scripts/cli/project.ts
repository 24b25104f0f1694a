import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import picomatch from 'picomatch';
import { parse, parseDocument } from 'yaml';
import { namePackages } from '../../generator/src/index.ts';
import { asObject, findAbove, isJsonObject, type JsonObject, readPackageVersion } from '../../specs/src/index.ts';
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

/** A file to write; `before` is undefined for a new file. */
export type Edit = {
  readonly path: string;
  readonly why: string;
  readonly before: string | undefined;
  readonly after: string;
  /** True for a file that is replaced completely, which requires --force. */
  readonly isReplacement?: true;
};

/** Scripts to add to a project's package.json. */
export const scripts: Readonly<Record<string, string>> = {
  'switchyard:generate': 'openapi-switchyard generate',
  'switchyard:check': 'openapi-switchyard generate --check --strict',
  'switchyard:verify': 'openapi-switchyard verify',
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

/** Reads a folder's package.json, package manager and workspace. Throws UsageError for unreadable files. */
export function readProject(folder: string): Project {
  const read = (path: string): string | undefined => {
    const file = join(folder, path);
    const found = statSync(file, { throwIfNoEntry: false });
    // A pipe, or a link to a device, may never end.
    if (found?.isFile() === false) throw new UsageError(`${file} is not a regular file: move it away first`);
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
    throw new UsageError(`${join(folder, 'package.json')} is invalid (${because}): correct it first`, { cause });
  }
  // The manager in the manifest, or else the one whose files exist here.
  const [, named] = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest?.['packageManager'] ?? '')) ?? [];
  const has = (...paths: readonly string[]): boolean => paths.some((path) => read(path) !== undefined);
  let manager = npm;
  if (named === 'pnpm' || (!named && has('pnpm-lock.yaml', 'pnpm-workspace.yaml'))) manager = pnpm;
  else if (named === 'yarn' || (!named && has('yarn.lock')))
    manager = has('.yarnrc.yml') || read('yarn.lock')?.includes('__metadata:') ? yarn : yarnClassic;
  else if (named === 'bun' || (!named && has('bun.lock', 'bun.lockb'))) manager = bun;
  const isOwn = named !== undefined || has('package-lock.json');
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
    const [left, wanted] = [
      patterns.filter((one) => one.startsWith('!')),
      patterns.filter((one) => !one.startsWith('!')),
    ];
    return picomatch.isMatch(place, wanted, { ignore: left.map((one) => one.slice(1)) });
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
  const listed = packages ?? workspaces;
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : [];
}

export function dependsOn(name: string, manifest: JsonObject | undefined): boolean {
  const fields = [manifest?.['dependencies'], manifest?.['devDependencies']];
  return fields.some((field) => isJsonObject(field) && name in field);
}

/** `out` is relative to the project; `scope` is undefined for a folder of plain files. */
type Output = { readonly out: string; readonly scope: string | undefined };

/**
 * Lists the changes to the project's files: scripts, packages, workspace and ignored files. Everything else in these
 * files stays as it is.
 */
export function wireProject(project: Project, { out, scope }: Output): readonly Edit[] {
  const { manifest, workspaceFile, read } = project;
  const edits: Edit[] = [];
  const plan = (path: string, why: string, change: (text: string) => string): void => {
    const before = read(path);
    const after = change(before ?? '');
    if (before !== after) edits.push({ path, why, before, after });
  };
  if (manifest !== undefined)
    plan('package.json', 'scripts, and the packages that they need', (text) => {
      // Keeps indentation and line breaks.
      const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
      const wired = wireManifest(manifest, project, { out, scope });
      const printed = `${JSON.stringify(wired, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`;
      return text.includes('\r\n') ? printed.replaceAll('\n', '\r\n') : printed;
    });
  if (scope !== undefined && workspaceFile === 'pnpm-workspace.yaml')
    plan(workspaceFile, 'links the generated packages', (text) => {
      const file = parseDocument(text);
      const [problem] = file.errors;
      if (problem !== undefined)
        throw new UsageError(`${workspaceFile} is invalid (${toMessage(problem)}): correct it first`);
      const { packages = [] }: { packages?: unknown[] } = file.toJS() ?? {};
      if (packages.includes(`${out}/*`)) return text;
      if (packages.length === 0) file.set('packages', [`${out}/*`]);
      else file.addIn(['packages'], `${out}/*`);
      return file.toString({ lineWidth: 0 });
    });
  const withLine = (text: string, line: string): string => {
    const lines = text.split(/\r?\n/).map((one) => one.trim().replace(/^\//, ''));
    if (lines.includes(line) || lines.includes(line.replace(/\/$/, ''))) return text;
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  };
  plan('.gitignore', 'ignores the private cache', (text) => withLine(text || 'node_modules/\n', '.switchyard/'));
  if (read('.prettierignore') !== undefined || dependsOn('prettier', manifest))
    plan('.prettierignore', 'excludes generated files from formatting', (text) => withLine(text, `${out}/`));
  return edits;
}

/** Adds the scripts and the development dependency; if there is a scope, also the workspace. */
function wireManifest(manifest: JsonObject, project: Project, { out, scope }: Output): JsonObject {
  const { isWorkspace, workspaceFile, manager } = project;
  // Existing members keep their position and their value.
  const add = (field: string, wanted: Readonly<Record<string, string>>): JsonObject => {
    const present = asObject(manifest[field]);
    return { ...present, ...wanted, ...present };
  };
  const wired: JsonObject = { ...manifest, scripts: add('scripts', scripts) };
  if (!dependsOn('openapi-switchyard', manifest))
    wired['devDependencies'] = add('devDependencies', { 'openapi-switchyard': readPackageVersion() });
  if (scope === undefined) return wired;
  if (workspaceFile === 'package.json') {
    // The field is a list, or an object with a list.
    const field = manifest['workspaces'];
    const listed = isJsonObject(field) ? field['packages'] : field;
    const patterns = [...new Set([...(Array.isArray(listed) ? listed : []), `${out}/*`])];
    wired['workspaces'] = isJsonObject(field) ? { ...field, packages: patterns } : patterns;
  }
  if (isWorkspace) return wired;
  // In a new workspace, this package imports the generated ones. Yarn 1 only links packages of private projects.
  if (manager.name === 'yarn') wired['private'] ??= true;
  const { range } = manager;
  if (range === undefined) return wired;
  const links = Object.fromEntries(Object.values(namePackages(scope)).map((name) => [name, range]));
  wired['dependencies'] = add('dependencies', links);
  return wired;
}
