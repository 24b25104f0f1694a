import { join } from 'node:path';
import { namePackages } from '../../../generator/src/index.ts';
import {
  asObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  packageRoot,
  readPackageVersion,
  readText,
} from '../../../specs/src/index.ts';
import { dependsOn, type InitChoices, type Project } from './project.ts';

export type Edit = {
  readonly path: string;
  readonly why: string;
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
  /** Whether a file of other contents would be lost. */
  readonly isReplacement: boolean;
};

/** What wires the generator into the project; edits that change nothing are left out. `notes` say what a person has to do, or may wonder about. */
export function planEdits(project: Project, choices: InitChoices): { edits: Edit[]; notes: string[] } {
  const { manifest, workspaceFile, read } = project;
  const { out, scope } = choices;
  const edits: Edit[] = [];
  // A function keeps what is there.
  const add = (path: string, why: string, after: string | ((text: string) => string)): void => {
    const before = read(path);
    const text = typeof after === 'string' ? after : after(before ?? '');
    const isReplacement = typeof after === 'string' && before !== undefined;
    if (before !== text) edits.push({ path, why, before, after: text, isReplacement });
  };
  add(configPath(project), 'the settings of switchyard', configText(choices));
  if (manifest !== undefined)
    add('package.json', 'scripts, and packages they need', (text) =>
      printLike(text, wireManifest(manifest, project, choices)),
    );
  if (scope !== undefined && workspaceFile === 'pnpm-workspace.yaml')
    add(workspaceFile, 'links the generated packages', (text) => withYamlEntry(text, `${out}/*`));
  add('.gitignore', 'the private cache', (text) => withLine(text || 'node_modules/\n', '.switchyard/'));
  if (read('.prettierignore') !== undefined || dependsOn('prettier', manifest))
    add('.prettierignore', 'generated files are not formatted', (text) => withLine(text, `${out}/`));
  const ci = planCi(project, choices);
  if (ci !== undefined) add(ci.path, 'checks of pull requests and of the main branch', ci.text);
  return { edits, notes: listNotes(project, choices) };
}

function listNotes({ manifest, workspaceFile, read }: Project, { out, scope }: InitChoices): string[] {
  const notes: string[] = [];
  if (scope !== undefined && manifest === undefined)
    notes.push(
      'packages are found by their names only in a workspace, and here is no package.json: run npm init and init again, or leave out --scope',
    );
  const present = manifest?.['scripts'];
  for (const [name, command] of Object.entries(scripts))
    if (isJsonObject(present) && name in present && present[name] !== command)
      notes.push(`the script ${name} exists and is left as it is`);
  const pattern = `${out}/*`;
  const isOddYaml =
    workspaceFile === 'pnpm-workspace.yaml' && !withYamlEntry(read(workspaceFile) ?? '', pattern).includes(pattern);
  if (scope !== undefined && isOddYaml) notes.push(`add '${pattern}' to packages in ${workspaceFile}`);
  if (['biome.json', 'biome.jsonc'].some((path) => read(path) !== undefined))
    notes.push(`add "!${out}" to files.includes of Biome's configuration: generated files are not formatted`);
  if (['js', 'mjs', 'cjs', 'ts', 'mts'].some((ending) => read(`eslint.config.${ending}`) !== undefined))
    notes.push(`add { ignores: ['${out}/**'] } to the configuration of ESLint: generated files are not linted`);
  return notes;
}

// Type-only imports are erased: the file also loads where switchyard runs through npx and is not installed.
function configText({ routerUrl, out, scope }: InitChoices): string {
  const layout = scope === undefined ? "layout: 'folder'" : `scope: ${quote(scope)}`;
  return `import type { SwitchyardConfig } from 'openapi-switchyard';

// The credential comes from the environment: SWITCHYARD_API_KEY or SWITCHYARD_TOKEN.
export default {
  routerUrl: ${quote(routerUrl)},
  generate: { out: ${quote(out)}, ${layout} },
} satisfies SwitchyardConfig;
`;
}

function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`;
}

// A .ts file is an ES module only where the manifest says so.
function configPath({ manifest, read }: Project): string {
  const earlier = ['ts', 'mts', 'js', 'mjs'].map((ending) => `switchyard.config.${ending}`);
  const ending = manifest?.['type'] === 'module' ? 'ts' : 'mts';
  return earlier.find((path) => read(path) !== undefined) ?? `switchyard.config.${ending}`;
}

const scripts: Readonly<Record<string, string>> = {
  'switchyard:generate': 'openapi-switchyard generate',
  'switchyard:check': 'openapi-switchyard generate --check --strict',
  'switchyard:verify': 'openapi-switchyard verify',
};

function wireManifest(manifest: JsonObject, project: Project, { out, scope }: InitChoices): JsonObject {
  const wired: JsonObject = { ...manifest, scripts: withMembers(manifest['scripts'], scripts) };
  if (!dependsOn('openapi-switchyard', manifest))
    wired['devDependencies'] = withMembers(wired['devDependencies'], { 'openapi-switchyard': readPackageVersion() });
  if (scope === undefined) return wired;
  const { isWorkspace, workspaceFile, manager } = project;
  if (workspaceFile === 'package.json') wired['workspaces'] = withPattern(wired['workspaces'], `${out}/*`);
  if (isWorkspace) return wired;
  // Where the workspace is new, this package is the one that imports the others. Yarn 1 links those of private projects only.
  if (manager.name === 'yarn') wired['private'] ??= true;
  const { range } = manager;
  if (range === undefined) return wired;
  const links = Object.values(namePackages(scope)).map((name) => [name, range]);
  wired['dependencies'] = withMembers(wired['dependencies'], Object.fromEntries(links));
  return wired;
}

/** Adds the members that are missing. */
function withMembers(present: JsonValue | undefined, wanted: Readonly<Record<string, string>>): JsonObject {
  const members = asObject(present);
  return { ...members, ...Object.fromEntries(Object.entries(wanted).filter(([name]) => !(name in members))) };
}

/** Both forms of the field: a list, or an object with a list. */
function withPattern(workspaces: JsonValue | undefined, pattern: string): JsonValue {
  if (isJsonObject(workspaces)) return { ...workspaces, packages: withPattern(workspaces['packages'], pattern) };
  const patterns = Array.isArray(workspaces) ? workspaces : [];
  return patterns.includes(pattern) ? patterns : [...patterns, pattern];
}

/** JSON with the indentation and line ends of an earlier text. */
function printLike(text: string, value: JsonObject): string {
  const indent = /^[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
  const printed = `${JSON.stringify(value, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`;
  return text.includes('\r\n') ? printed.replaceAll('\n', '\r\n') : printed;
}

/** Only the usual form of the list is edited: a line for each pattern. */
function withYamlEntry(text: string, pattern: string): string {
  if (text.includes(pattern)) return text;
  if (text.trim() === '') return `packages:\n  - '${pattern}'\n`;
  return text.replace(/^(packages:[ \t]*\r?\n(?:[ \t]*#.*\r?\n)*)([ \t]*- )/m, (_, head: string, dash: string) => {
    return `${head}${dash}'${pattern}'\n${dash}`;
  });
}

function withLine(text: string, line: string): string {
  const lines = text.split(/\r?\n/).map((one) => one.trim().replace(/^\//, ''));
  if (lines.includes(line) || lines.includes(line.replace(/\/$/, ''))) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

const ciFiles = { github: '.github/workflows/switchyard.yml', gitlab: '.gitlab/switchyard.gitlab-ci.yml' };

/**
 * First what the router serves by now, which needs the credential and runs where the code is trusted; then the committed files, for
 * every pull request and without a secret. docs/how-to/ci-generated-files.md shows the same text.
 */
function planCi({ manifest, manager }: Project, { ci, out }: InitChoices) {
  if (ci === 'none') return undefined;
  const install = manifest === undefined ? [] : manager.install;
  const command =
    manifest === undefined
      ? `npx --yes openapi-switchyard@${readPackageVersion()}`
      : `${manager.run} openapi-switchyard`;
  const text = readText(join(packageRoot(), 'templates/init', `${ci}.yml`))
    .replace(/^(.*)\[\[install\]\]\n/gm, (_, start: string) => install.map((line) => `${start}${line}\n`).join(''))
    .replaceAll('[[command]]', () => command)
    .replaceAll('[[out]]', () => out);
  return { path: ciFiles[ci], text };
}
