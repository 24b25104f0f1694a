import { packageNamesIn } from '../../../generator/src/index.ts';
import { ciFile } from './ci-file.ts';
import { type InitChoices, isRecord, type Manifest, type Project, workspaceRange } from './project.ts';

/** A file that `init` would write; `note` says what a person has to do in its place. */
export type WiredFile = {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
  /** An earlier file of other contents is replaced only when that is asked for. */
  readonly isReplacement: boolean;
};
export type WiredProject = { readonly files: readonly WiredFile[]; readonly notes: readonly string[] };

/** Every file that wires the generator into the project; those that need no change are left out. */
export function wireProject(project: Project, choices: InitChoices): WiredProject {
  const notes: string[] = [];
  const whole = (path: string, after: string): WiredFile => {
    const before = project.read(path);
    return { path, before, after, isReplacement: before !== undefined };
  };
  const edited = (path: string, edit: (text: string) => string): WiredFile => {
    const before = project.read(path);
    return { path, before, after: edit(before ?? ''), isReplacement: false };
  };
  const ci = ciFile(project, choices);
  if (choices.scope !== undefined && project.manifest === undefined)
    notes.push(
      'packages are found by their names only in a workspace, and here is no package.json: run npm init and init again, or leave out --scope',
    );
  const files = [
    whole(configPath(project), configText(choices)),
    ...(project.manifest === undefined
      ? []
      : [edited('package.json', (text) => wireManifest(text, project, choices, notes))]),
    ...wireWorkspaceFile(project, choices, notes, edited),
    edited('.gitignore', (text) =>
      withLine(project.read('.gitignore') === undefined ? 'node_modules/\n' : text, '.switchyard/'),
    ),
    ...(project.usesPrettier ? [edited('.prettierignore', (text) => withLine(text, `${choices.out}/`))] : []),
    ...(ci === undefined ? [] : [whole(ci.path, ci.text)]),
  ];
  if (project.read('biome.json') !== undefined || project.read('biome.jsonc') !== undefined)
    notes.push(`add "!${choices.out}" to files.includes of Biome's configuration: generated files are not formatted`);
  const eslint = ['js', 'mjs', 'cjs', 'ts', 'mts'].map((ending) => `eslint.config.${ending}`);
  if (eslint.some((path) => project.read(path) !== undefined))
    notes.push(`add { ignores: ['${choices.out}/**'] } to the configuration of ESLint: generated files are not linted`);
  return { files: files.filter(({ before, after }) => before !== after), notes };
}

// Type-only imports are erased: the file also loads where switchyard runs through npx and is not installed.
function configText({ routerUrl, out, scope }: InitChoices): string {
  const layout = scope === undefined ? "layout: 'folder'" : `scope: ${quoted(scope)}`;
  return `import type { SwitchyardConfig } from 'openapi-switchyard';

// The credential comes from the environment: SWITCHYARD_API_KEY or SWITCHYARD_TOKEN.
export default {
  routerUrl: ${quoted(routerUrl)},
  generate: { out: ${quoted(out)}, ${layout} },
} satisfies SwitchyardConfig;
`;
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'").replaceAll('\\"', '"')}'`;
}

// A .ts file is an ES module only where the manifest says so.
function configPath({ manifest, read }: Project): string {
  const earlier = ['ts', 'mts', 'js', 'mjs'].map((ending) => `switchyard.config.${ending}`);
  const ending = manifest?.['type'] === 'module' ? 'ts' : 'mts';
  return earlier.find((path) => read(path) !== undefined) ?? `switchyard.config.${ending}`;
}

const scripts: Readonly<Record<string, string>> = {
  'switchyard:generate': 'switchyard generate',
  'switchyard:check': 'switchyard generate --check',
  'switchyard:verify': 'switchyard verify',
};

function wireManifest(text: string, project: Project, choices: InitChoices, notes: string[]): string {
  const manifest: Manifest = { ...project.manifest };
  manifest['scripts'] = withMembers(manifest['scripts'], scripts, (name) =>
    notes.push(`the script ${name} exists and is left as it is`),
  );
  const installed = [manifest['dependencies'], manifest['devDependencies']].some(
    (field) => isRecord(field) && 'openapi-switchyard' in field,
  );
  if (!installed)
    manifest['devDependencies'] = withMembers(manifest['devDependencies'], { 'openapi-switchyard': choices.version });
  if (choices.scope !== undefined) wireWorkspace(manifest, project, choices.out, choices.scope);
  const indent = /^[{[]\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
  const printed = `${JSON.stringify(manifest, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`;
  return text.includes('\r\n') ? printed.replaceAll('\n', '\r\n') : printed;
}

/** Where the workspace is new, this package is the one that imports the others. */
function wireWorkspace(manifest: Manifest, project: Project, out: string, scope: string): void {
  if (workspaceFileOf(project) === 'package.json')
    manifest['workspaces'] = withPattern(manifest['workspaces'], `${out}/*`);
  if (project.workspaceFile !== undefined) return;
  // Yarn 1 links the packages of private projects only.
  if (project.manager === 'yarn') manifest['private'] ??= true;
  const range = workspaceRange(project);
  if (range === undefined) return;
  const names = Object.values(packageNamesIn(scope));
  manifest['dependencies'] = withMembers(
    manifest['dependencies'],
    Object.fromEntries(names.map((name) => [name, range])),
  );
}

/** Adds members that are missing; those with other values stay and are named. */
function withMembers(
  present: unknown,
  wanted: Readonly<Record<string, string>>,
  differs: (name: string) => void = () => {},
): Manifest {
  const members = isRecord(present) ? present : {};
  for (const [name, value] of Object.entries(wanted)) if (name in members && members[name] !== value) differs(name);
  return { ...members, ...Object.fromEntries(Object.entries(wanted).filter(([name]) => !(name in members))) };
}

/** Both forms of the field: a list, or an object with a list. */
function withPattern(workspaces: unknown, pattern: string): unknown {
  if (isRecord(workspaces)) return { ...workspaces, packages: withPattern(workspaces['packages'] ?? [], pattern) };
  const patterns: unknown[] = Array.isArray(workspaces) ? workspaces : [];
  return patterns.includes(pattern) ? patterns : [...patterns, pattern];
}

/** Packages need a workspace that links them. */
function workspaceFileOf({ workspaceFile, manager }: Project): 'package.json' | 'pnpm-workspace.yaml' {
  return workspaceFile ?? (manager === 'pnpm' ? 'pnpm-workspace.yaml' : 'package.json');
}

function wireWorkspaceFile(
  project: Project,
  { out, scope }: InitChoices,
  notes: string[],
  edited: (path: string, edit: (text: string) => string) => WiredFile,
): WiredFile[] {
  const workspaceFile = workspaceFileOf(project);
  if (workspaceFile !== 'pnpm-workspace.yaml' || scope === undefined) return [];
  const pattern = `${out}/*`;
  const file = edited(workspaceFile, (text) => withYamlEntry(text, pattern));
  if (!file.after.includes(pattern)) notes.push(`add '${pattern}' to packages in ${workspaceFile}`);
  return [file];
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
