import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { diff } from 'node:util';
import { parseDocument } from 'yaml';
import { namePackages } from '../../../generator/src/index.ts';
import {
  asObject,
  compileTemplates,
  createFolder,
  findNearestFolder,
  isJsonObject,
  isThisMachine,
  type JsonObject,
  packageRoot,
  readPackageVersion,
  readText,
} from '../../../specs/src/index.ts';
import type { Flags } from '../commands.ts';
import { toMessage, UsageError } from '../errors.ts';
import type { CommandIo } from '../io.ts';
import { findNearestScope } from '../output-layout.ts';
import * as values from '../values.ts';
import { readValue } from '../values.ts';

/** Decisions of the user, from flags or answers. */
type Choices = {
  readonly routerUrl: string;
  /** Path relative to the project, with `/`. */
  readonly out: string;
  /** Undefined for a folder of plain files. */
  readonly scope: string | undefined;
  readonly ci: 'github' | 'gitlab' | 'none';
};

/** A file to write. */
type Edit = {
  readonly path: string;
  readonly why: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
  /** True for a file that is replaced completely, which requires --force. */
  readonly isReplacement: boolean;
};

/** The command in a project that doesn't install this package. */
const npx = `npx --yes openapi-switchyard@${readPackageVersion()}`;

/** Shows the files to write, and writes them if the user agrees. Returns 1 if the user declines. */
export async function runInit(flags: Flags<'init'>, io: CommandIo): Promise<number> {
  const project = readProject(io.workingFolder);
  const choices = await chooseSettings(project, flags, io);
  const edits = await planEdits(project, choices);
  const skippedEdits = edits.filter(
    ({ isReplacement, before }) => isReplacement && before !== undefined && !flags.force,
  );
  const newEdits = edits.filter((edit) => !skippedEdits.includes(edit));
  const warn = (word: string, text: string): void => io.out(`${io.style('warn', word)} ${text}\n`);
  for (const { path, why, before, after } of newEdits) {
    const split = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));
    const changes = diff(split(before ?? ''), split(after)).flatMap(([kind, text]) => {
      if (kind === 0) return [];
      return [kind < 0 ? io.style('good', `+ ${text}`) : io.style('bad', `- ${text}`)];
    });
    const title = io.style('strong', `${before === undefined ? 'new file' : 'change'} ${path}`);
    io.out(`${title}: ${why}\n${changes.join('\n')}\n\n`);
  }
  for (const { path } of skippedEdits) warn('not replaced', `${path}: use --force to replace it`);
  if (choices.scope !== undefined && project.manifest === undefined)
    warn(
      'note',
      'packages can only be imported by name in a workspace, and this folder has no package.json: run npm init and then init again, or remove --scope',
    );
  if (choices.ci !== 'none' && isThisMachine(new URL(choices.routerUrl).hostname))
    warn(
      'note',
      `a CI job cannot reach ${choices.routerUrl}: before you commit, change routerUrl to a URL that it can reach`,
    );
  if (newEdits.length === 0) {
    io.out('nothing to write\n');
    return 0;
  }
  if (!flags.yes && !/^y(?:es)?$/i.test((await io.ask?.('write these files? (y/N) ')) ?? '')) {
    io.out('nothing was written; use --yes to write the files\n');
    return 1;
  }
  for (const { path, after } of newEdits) {
    createFolder(dirname(join(project.folder, path)));
    writeFileSync(join(project.folder, path), after);
  }
  const steps = listSteps(project, choices, io).map((step, index) => `  ${index + 1}. ${step}\n`);
  io.out(`wrote ${newEdits.map(({ path }) => path).join(', ')}\n\nNext:\n${steps.join('')}`);
  return 0;
}

/** Uses the flags, or else what the folder contains. On a terminal, only asks for the URL and the scope. */
async function chooseSettings(project: Project, flags: Flags<'init'>, io: CommandIo): Promise<Choices> {
  const { folder, isWorkspace, read } = project;
  const { SWITCHYARD_ROUTER_URL } = io.env;
  const routerUrl = flags.routerUrl || SWITCHYARD_ROUTER_URL || (await io.ask?.('base URL of the Model Router: '));
  if (!routerUrl)
    throw new UsageError(
      'no base URL for the Model Router: set --router-url or SWITCHYARD_ROUTER_URL; to try switchyard without a router, run npx openapi-switchyard sandbox, which serves one at http://127.0.0.1:4010',
    );
  let scope: string | undefined;
  if (flags.layout !== 'folder' && flags.scope !== undefined) scope = flags.scope;
  else if (flags.layout === 'packages' || (flags.layout === undefined && isWorkspace)) {
    scope = findNearestScope(join(folder, 'generated'));
    const defaultScope = scope ?? 'plain files without packages';
    const answer = await io.ask?.(`npm scope of the packages, such as @acme (empty: ${defaultScope}): `);
    if (answer) scope = readValue(values.scope, answer.replace(/^@?/, '@'), '--scope');
  }
  if (scope !== undefined && !isWorkspace && project.memberOf !== undefined)
    throw new UsageError(
      `this folder belongs to the workspace of ${project.memberOf}, where packages are linked: run init in that folder, or use --layout folder to generate plain files here`,
    );
  if (scope === undefined && flags.layout === 'packages')
    throw new UsageError('the packages need a scope: add --scope @NAME');
  const usualOut = scope === undefined && read('src/index.ts') !== undefined ? 'src/generated' : 'generated';
  const out = (flags.out ?? usualOut).replaceAll('\\', '/').replace(/^(?:\.\/)+|\/+$/g, '');
  if (!/^[\w@.-]+(?:\/[\w@.-]+)*$/.test(out) || out.split('/').includes('..'))
    throw new UsageError(
      `--out must be a folder within the project, such as src/generated, got ${JSON.stringify(flags.out)}`,
    );
  const toRoot = project.pathToRepository ?? '';
  const hasGitlab = read(`${toRoot}.gitlab-ci.yml`) !== undefined;
  const ci = flags.ci ?? (existsSync(join(folder, toRoot, '.github')) ? 'github' : hasGitlab ? 'gitlab' : 'none');
  return { routerUrl: readValue(values.baseUrl, routerUrl, '--router-url'), scope, out, ci };
}

/** Scripts to add to a project's package.json. */
const scripts: Readonly<Record<string, string>> = {
  'switchyard:generate': 'openapi-switchyard generate',
  'switchyard:check': 'openapi-switchyard generate --check --strict',
  'switchyard:verify': 'openapi-switchyard verify',
};

/** Lists the files to create or change. In existing files of the project, everything else stays as it is. */
async function planEdits(project: Project, choices: Choices): Promise<readonly Edit[]> {
  const { routerUrl, out, scope, ci } = choices;
  const { folder, manifest, manager, read } = project;
  const edits: Edit[] = [];
  const plan = (path: string, why: string, change: string | ((text: string) => string)): void => {
    const before = read(path);
    const isReplacement = typeof change === 'string';
    const after = isReplacement ? change : change(before ?? '');
    if (before !== after) edits.push({ path, why, before, after, isReplacement });
  };

  const names = ['ts', 'mts', 'js', 'mjs'].map((ending) => `switchyard.config.${ending}`);
  // A .ts file is an ES module only with "type": "module" in the manifest. The type-only import is erased, so the file
  // also loads if switchyard runs through npx and is not installed. Quotation marks in the URL are escaped, and the other
  // values cannot contain any.
  const newName = `switchyard.config.${manifest?.['type'] === 'module' ? 'ts' : 'mts'}`;
  const layout = scope === undefined ? `layout: 'folder'` : `scope: '${scope}'`;
  const config = `import type { SwitchyardConfig } from 'openapi-switchyard';

// The credential comes from the environment: SWITCHYARD_API_KEY or SWITCHYARD_TOKEN.
export default {
  routerUrl: '${routerUrl.replaceAll("'", '%27')}',
  generate: { out: '${out}', ${layout} },
} satisfies SwitchyardConfig;
`;
  plan(names.find((name) => read(name) !== undefined) ?? newName, 'settings of switchyard', config);

  if (ci !== 'none') {
    const toRoot = project.pathToRepository ?? '';
    const fromRoot = relative(join(folder, toRoot), folder).replaceAll('\\', '/');
    const template = readText(join(packageRoot(), 'templates/init', `${ci}.yml`));
    const render = await compileTemplates([[ci, template]]);
    // docs/how-to/ci-generated-files.md shows the same text.
    const workflow = render(ci, {
      workingFolder: fromRoot === '' ? '' : JSON.stringify(fromRoot),
      enter: fromRoot === '' ? [] : [JSON.stringify(`cd '${fromRoot.replaceAll("'", `'\\''`)}'`)],
      install: manifest === undefined ? [] : manager.install,
      command: manifest === undefined ? npx : `${manager.run} openapi-switchyard`,
      out,
      changes: fromRoot === '' ? 'changes.md' : JSON.stringify(`${fromRoot}/changes.md`),
    });
    const path = ci === 'github' ? '.github/workflows/switchyard.yml' : '.gitlab/switchyard.gitlab-ci.yml';
    plan(toRoot + path, 'checks pull requests and the main branch', workflow);
  }

  if (manifest !== undefined)
    plan('package.json', 'scripts, and the packages that they need', (text) => {
      // Keeps indentation and line breaks.
      const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
      const extended = extendManifest(manifest, project, choices);
      const printed = `${JSON.stringify(extended, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`;
      return text.includes('\r\n') ? printed.replaceAll('\n', '\r\n') : printed;
    });
  if (scope !== undefined && manager.name === 'pnpm')
    plan('pnpm-workspace.yaml', 'links the generated packages', (text) => {
      const file = parseDocument(text);
      const [problem] = file.errors;
      if (problem !== undefined)
        throw new UsageError(`pnpm-workspace.yaml is invalid (${toMessage(problem)}): correct it first`);
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

function dependsOn(name: string, manifest: JsonObject | undefined): boolean {
  return [manifest?.['dependencies'], manifest?.['devDependencies']].some((field) => name in asObject(field));
}

/** Adds the scripts and the development dependency; if there is a scope, also the workspace. */
function extendManifest(manifest: JsonObject, { isWorkspace, manager }: Project, { out, scope }: Choices): JsonObject {
  // Existing members keep their position and their value.
  const add = (field: string, wanted: Readonly<Record<string, string>>): JsonObject => {
    const present = asObject(manifest[field]);
    return { ...present, ...wanted, ...present };
  };
  const extended: JsonObject = { ...manifest, scripts: add('scripts', scripts) };
  if (!dependsOn('openapi-switchyard', manifest))
    extended['devDependencies'] = add('devDependencies', { 'openapi-switchyard': readPackageVersion() });
  if (scope === undefined) return extended;
  if (manager.name !== 'pnpm') {
    // The field is a list, or an object with a list.
    const field = manifest['workspaces'];
    const listedPatterns = isJsonObject(field) ? field['packages'] : field;
    const patterns = [...new Set([...(Array.isArray(listedPatterns) ? listedPatterns : []), `${out}/*`])];
    extended['workspaces'] = isJsonObject(field) ? { ...field, packages: patterns } : patterns;
  }
  if (isWorkspace) return extended;
  // In a new workspace, this package imports the generated ones. Yarn 1 only links packages of private projects.
  if (manager.name === 'yarn') extended['private'] ??= true;
  const { range } = manager;
  if (range === undefined) return extended;
  const links = Object.fromEntries(Object.values(namePackages(scope)).map((name) => [name, range]));
  extended['dependencies'] = add('dependencies', links);
  return extended;
}

/** The folder of a project that uses switchyard. */
type Project = {
  readonly folder: string;
  readonly manager: PackageManager;
  /** The package.json; undefined in a folder without one. */
  readonly manifest: JsonObject | undefined;
  /** True if the folder is the root of a workspace. */
  readonly isWorkspace: boolean;
  /** The nearest workspace above the folder. */
  readonly memberOf: string | undefined;
  /** Path to the root of the repository, where CI systems look for their files, such as `../../`; undefined outside of one. */
  readonly pathToRepository: string | undefined;
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
function readProject(folder: string): Project {
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
  const memberOf = dirname(folder) === folder ? undefined : findNearestFolder(dirname(folder), isWorkspaceRoot);
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
  const repository = findNearestFolder(folder, (one) => existsSync(join(one, '.git')));
  const path = repository && relative(folder, repository).replaceAll('\\', '/');
  const pathToRepository = path && `${path}/`;
  return { folder, manager, manifest, memberOf, pathToRepository, isWorkspace, read };
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

function listSteps(project: Project, { scope, out }: Choices, { env }: CommandIo): string[] {
  const { folder, manifest, isWorkspace, manager, pathToRepository } = project;
  const credential = env['SWITCHYARD_API_KEY'] || env['SWITCHYARD_TOKEN'] ? '' : 'SWITCHYARD_API_KEY=… ';
  const install = `${manager.name} install`;
  const isInstalled = existsSync(join(folder, 'node_modules/openapi-switchyard'));
  const steps: string[] = [];
  if (manifest !== undefined && scope === undefined) {
    if (!isInstalled) steps.push(install);
    steps.push(`${credential}${manager.name} run switchyard:generate`);
  } else steps.push(`${credential}${isInstalled ? 'npx openapi-switchyard' : npx} generate`);
  if (scope !== undefined && isWorkspace)
    steps.push(
      `list the packages in each package.json that imports them, such as "${scope}/model-router": "${manager.range ?? '*'}"`,
    );
  // After generate, because the packages that the workspace lists don't exist before.
  if (manifest !== undefined && scope !== undefined) steps.push(install);
  const verify = manifest === undefined ? `${npx} verify` : `${manager.run} openapi-switchyard verify`;
  if (pathToRepository !== undefined)
    steps.push(`commit ${out}/ together with the files above; "${verify}" checks it without a credential`);
  return steps;
}
