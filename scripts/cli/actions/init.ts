import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diff } from 'node:util';
import { parseDocument } from 'yaml';
import { namePackages } from '../../../generator/src/index.ts';
import {
  asObject,
  findAbove,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  makeFolder,
  packageRoot,
  readPackageVersion,
  readText,
} from '../../../specs/src/index.ts';
import { askForScope, nearestScope, parseScope } from '../arrange-output.ts';
import { toMessage, UsageError } from '../errors.ts';
import type { CommandIo } from '../io.ts';
import { createSettingReader } from '../load-settings.ts';
import { dependsOn, type Project, readProject } from '../project.ts';
import type { Flags } from '../settings.ts';
import { address, readValue } from '../values.ts';

/** Decisions of the user, from flags or answers. */
type Choices = {
  readonly routerUrl: string;
  /** Relative to the project, with `/`. */
  readonly out: string;
  /** Undefined for a folder of plain files. */
  readonly scope: string | undefined;
  readonly ci: 'github' | 'gitlab' | 'none';
};
/** A file to write; `before` is undefined for a new one. */
type Edit = {
  readonly path: string;
  readonly why: string;
  readonly before: string | undefined;
  readonly after: string;
};

const scripts: Readonly<Record<string, string>> = {
  'switchyard:generate': 'openapi-switchyard generate',
  'switchyard:check': 'openapi-switchyard generate --check --strict',
  'switchyard:verify': 'openapi-switchyard verify',
};
const npx = `npx --yes openapi-switchyard@${readPackageVersion()}`;

/** Shows the files it would write, and writes them if the user agrees; 1 if there is something to write and the user doesn't. */
export async function runInit(flags: Flags<'init'>, io: CommandIo): Promise<number> {
  const project = readProject(io.workingFolder);
  const choices = await choose(project, flags, io);
  const whole = [planConfig(project, choices), ...planCi(project, choices)].filter(
    ({ before, after }) => before !== after,
  );
  const kept = flags.force ? [] : whole.filter(({ before }) => before !== undefined);
  const due = [...whole.filter((edit) => !kept.includes(edit)), ...planChanges(project, choices)];
  for (const edit of due) io.out(renderEdit(edit, io));
  for (const { path } of kept) io.out(`${io.style('warn', 'not replaced')} ${path}: --force replaces it\n`);
  const notes = Object.entries(asObject(project.manifest?.['scripts'])).flatMap(([name, command]) =>
    (scripts[name] ?? command) === command ? [] : [`the script ${name} exists and was not changed`],
  );
  if (choices.scope !== undefined && project.manifest === undefined)
    notes.push(
      'packages are found by their names only in a workspace, and this folder has no package.json: run npm init and init again, or leave out --scope',
    );
  for (const note of notes) io.out(`${io.style('warn', 'note')} ${note}\n`);
  if (due.length === 0) {
    io.out('nothing to write\n');
    return 0;
  }
  if (!flags.yes && !/^y(?:es)?$/i.test((await io.ask?.('write these files? (y/N) ')) ?? '')) {
    io.out('nothing was written; --yes writes it\n');
    return 1;
  }
  for (const { path, after } of due) {
    makeFolder(dirname(join(project.folder, path)));
    writeFileSync(join(project.folder, path), after);
  }
  const steps = listSteps(project, choices).map((step, index) => `  ${index + 1}. ${step}\n`);
  io.out(`wrote ${due.map(({ path }) => path).join(', ')}\n\nNext:\n${steps.join('')}`);
  return 0;
}

async function choose(project: Project, flags: Flags<'init'>, io: CommandIo): Promise<Choices> {
  // Without a terminal, or with an empty answer, the suggestion applies.
  const ask = async (question: string): Promise<string | undefined> => (await io.ask?.(question)) || undefined;
  const { folder, isWorkspace, read } = project;
  const routerUrl =
    createSettingReader(flags, { config: {}, folder }, io)('routerUrl') ??
    (await ask('base address of the Model Router: '));
  if (routerUrl === undefined)
    throw new UsageError(
      'no address of a Model Router: give --router-url or SWITCHYARD_ROUTER_URL; to try it without one, npx openapi-switchyard sandbox serves one at http://127.0.0.1:4010',
    );
  let scope: string | undefined;
  if (flags.layout !== 'folder' && flags.scope !== undefined) scope = parseScope(flags.scope);
  else if (flags.layout === 'packages' || (flags.layout === undefined && isWorkspace))
    scope = await askForScope(io, nearestScope(join(folder, 'generated')));
  if (scope === undefined && flags.layout === 'packages')
    throw new UsageError('the packages need a scope: give --scope @NAME');
  const usualOut = scope === undefined && read('src/index.ts') !== undefined ? 'src/generated' : 'generated';
  const given = flags.out ?? (await ask(`folder of the generated files (${usualOut}): `)) ?? usualOut;
  const out = given.replaceAll('\\', '/').replace(/^(?:\.\/)+|\/+$/g, '');
  if (!/^[\w@.-]+(?:\/[\w@.-]+)*$/.test(out) || out.split('/').includes('..'))
    throw new UsageError(
      `--out takes a folder within the project, such as src/generated; got ${JSON.stringify(given)}`,
    );
  const hasGitlab = read('.gitlab-ci.yml') !== undefined;
  const usualCi = existsSync(join(folder, '.github')) ? 'github' : hasGitlab ? 'gitlab' : 'none';
  const ci = flags.ci ?? (await ask(`CI file: github, gitlab or none (${usualCi}): `)) ?? usualCi;
  if (ci !== 'github' && ci !== 'gitlab' && ci !== 'none')
    throw new UsageError(`a CI file is for github, gitlab or none; got ${JSON.stringify(ci)}`);
  return { routerUrl: String(readValue(address, routerUrl, '--router-url', '')), scope, out, ci };
}

function planConfig({ manifest, read }: Project, { routerUrl, out, scope }: Choices): Edit {
  const names = ['ts', 'mts', 'js', 'mjs'].map((ending) => `switchyard.config.${ending}`);
  // A .ts file is an ES module only with "type": "module" in the manifest. The type-only import is erased: the file also loads
  // where switchyard runs through npx and is not installed.
  const newName = `switchyard.config.${manifest?.['type'] === 'module' ? 'ts' : 'mts'}`;
  const path = names.find((name) => read(name) !== undefined) ?? newName;
  const quote = (text: string): string =>
    `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`;
  const layout = scope === undefined ? "layout: 'folder'" : `scope: ${quote(scope)}`;
  const after = `import type { SwitchyardConfig } from 'openapi-switchyard';

// The credential comes from the environment: SWITCHYARD_API_KEY or SWITCHYARD_TOKEN.
export default {
  routerUrl: ${quote(routerUrl)},
  generate: { out: ${quote(out)}, ${layout} },
} satisfies SwitchyardConfig;
`;
  return { path, why: 'the settings of switchyard', before: read(path), after };
}

function planCi({ manifest, manager, read }: Project, { out, ci }: Choices): readonly Edit[] {
  if (ci === 'none') return [];
  const install = manifest === undefined ? [] : manager.install;
  const command = manifest === undefined ? npx : `${manager.run} openapi-switchyard`;
  // docs/how-to/ci-generated-files.md shows the same text.
  const after = readText(join(packageRoot(), 'templates/init', `${ci}.yml`))
    .replace(/^(.*)\[\[install\]\]\n/gm, (_, start: string) => install.map((line) => `${start}${line}\n`).join(''))
    .replaceAll('[[command]]', () => command)
    .replaceAll('[[out]]', () => out);
  const path = ci === 'github' ? '.github/workflows/switchyard.yml' : '.gitlab/switchyard.gitlab-ci.yml';
  return [{ path, why: 'checks of pull requests and of the main branch', before: read(path), after }];
}

/** Lists changes of files of the project, which keep everything else in them. */
function planChanges(project: Project, { out, scope }: Choices): readonly Edit[] {
  const { manifest, workspaceFile, read } = project;
  const edits: Edit[] = [];
  const add = (path: string, why: string, change: (text: string) => string): void => {
    const before = read(path);
    const after = change(before ?? '');
    if (before !== after) edits.push({ path, why, before, after });
  };
  if (manifest !== undefined)
    add('package.json', 'scripts, and packages they need', (text) => {
      // Keeps indentation and line ends.
      const indent = /^[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
      const wired = wireManifest(manifest, project, out, scope);
      const printed = `${JSON.stringify(wired, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`;
      return text.includes('\r\n') ? printed.replaceAll('\n', '\r\n') : printed;
    });
  if (scope !== undefined && workspaceFile === 'pnpm-workspace.yaml')
    add(workspaceFile, 'links the generated packages', (text) => {
      const file = parseDocument(text);
      const [problem] = file.errors;
      if (problem !== undefined) throw new UsageError(`${workspaceFile}: correct it first: ${toMessage(problem)}`);
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
  add('.gitignore', 'the private cache', (text) => withLine(text || 'node_modules/\n', '.switchyard/'));
  if (read('.prettierignore') !== undefined || dependsOn('prettier', manifest))
    add('.prettierignore', 'generated files are not formatted', (text) => withLine(text, `${out}/`));
  return edits;
}

function wireManifest(manifest: JsonObject, project: Project, out: string, scope: string | undefined): JsonObject {
  const { isWorkspace, workspaceFile, manager } = project;
  const addMissing = (present: JsonValue | undefined, wanted: Readonly<Record<string, string>>): JsonObject => {
    const members = asObject(present);
    return { ...members, ...Object.fromEntries(Object.entries(wanted).filter(([name]) => !(name in members))) };
  };
  const wired: JsonObject = { ...manifest, scripts: addMissing(manifest['scripts'], scripts) };
  if (!dependsOn('openapi-switchyard', manifest))
    wired['devDependencies'] = addMissing(wired['devDependencies'], { 'openapi-switchyard': readPackageVersion() });
  if (scope === undefined) return wired;
  if (workspaceFile === 'package.json') {
    // The field is a list, or an object with a list.
    const field = wired['workspaces'];
    const listed = isJsonObject(field) ? field['packages'] : field;
    const patterns = [...new Set([...(Array.isArray(listed) ? listed : []), `${out}/*`])];
    wired['workspaces'] = isJsonObject(field) ? { ...field, packages: patterns } : patterns;
  }
  if (isWorkspace) return wired;
  // In a new workspace, this package imports the others. Yarn 1 links only those of private projects.
  if (manager.name === 'yarn') wired['private'] ??= true;
  const { range } = manager;
  if (range === undefined) return wired;
  const links = Object.values(namePackages(scope)).map((name) => [name, range]);
  wired['dependencies'] = addMissing(wired['dependencies'], Object.fromEntries(links));
  return wired;
}

/** Prints the lines that differ, with two around them. */
function renderEdit({ path, why, before, after }: Edit, io: CommandIo): string {
  const split = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));
  const lines = diff(split(before ?? ''), split(after));
  const isNear = (index: number): boolean =>
    lines.slice(Math.max(0, index - 2), index + 3).some(([kind]) => kind !== 0);
  const shown = lines.flatMap(([kind, text], index) => {
    if (!isNear(index)) return isNear(index - 1) ? [io.style('dim', '  …')] : [];
    if (kind === 0) return [io.style('dim', `  ${text}`)];
    return [kind < 0 ? io.style('good', `+ ${text}`) : io.style('bad', `- ${text}`)];
  });
  const title = io.style('strong', `${before === undefined ? 'new file' : 'change'} ${path}`);
  return `${title}: ${why}\n${shown.join('\n')}\n\n`;
}

// Generate before the installation: a workspace names packages that don't exist before.
function listSteps({ folder, manifest, isWorkspace, manager, read }: Project, { scope, out }: Choices): string[] {
  const install = `${manager.name} install`;
  const addsPackages = scope !== undefined && !isWorkspace && manager.range !== undefined;
  const isInstalled = read('node_modules/openapi-switchyard/package.json') !== undefined;
  // Yarn 4 runs no script of a package that lists dependencies it has not installed, such as those added for a new workspace.
  const isReady = isInstalled && dependsOn('openapi-switchyard', manifest) && !addsPackages;
  const installsFirst = manifest !== undefined && scope === undefined && !isReady;
  const generate = isReady || installsFirst ? `${manager.name} run switchyard:generate` : `${npx} generate`;
  const verify = manifest === undefined ? `${npx} verify` : `${manager.run} openapi-switchyard verify`;
  const steps = [...(installsFirst ? [install] : []), `SWITCHYARD_API_KEY=… ${generate}`];
  if (scope !== undefined && isWorkspace)
    steps.push(
      `list the packages in each package.json that imports them, such as "${scope}/model-router": "${manager.range ?? '*'}"`,
    );
  if (scope !== undefined && manifest !== undefined) steps.push(install);
  if (findAbove(folder, (one) => existsSync(join(one, '.git'))) !== undefined)
    steps.push(`commit ${out}/ with the files above: "${verify}" checks it without a credential`);
  return steps;
}
