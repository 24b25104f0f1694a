import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseDocument } from 'yaml';
import { namePackages } from '../../generator/src/index.ts';
import {
  asObject,
  compileTemplates,
  findAbove,
  isJsonObject,
  type JsonObject,
  packageRoot,
  readPackageVersion,
  readText,
} from '../../specs/src/index.ts';
import { toMessage, UsageError } from './errors.ts';
import type { Project } from './project.ts';

// The files that `init` creates or changes.

/** Decisions of the user, from flags or answers. */
export type Choices = {
  readonly routerUrl: string;
  /** Path relative to the project, with `/`. */
  readonly out: string;
  /** Undefined for a folder of plain files. */
  readonly scope: string | undefined;
  readonly ci: 'github' | 'gitlab' | 'none';
};

/** A file to write; `before` is undefined for a new file. */
export type Edit = {
  readonly path: string;
  readonly why: string;
  readonly before: string | undefined;
  readonly after: string;
  /** True for a file that is replaced completely, which requires --force. */
  readonly isReplacement: boolean;
};

/** Scripts to add to a project's package.json. */
const scripts: Readonly<Record<string, string>> = {
  'switchyard:generate': 'openapi-switchyard generate',
  'switchyard:check': 'openapi-switchyard generate --check --strict',
  'switchyard:verify': 'openapi-switchyard verify',
};

/** The command in a project that doesn't install this package. */
export const npx = `npx --yes openapi-switchyard@${readPackageVersion()}`;

/**
 * Returns the relative path from the folder to the root of its repository, where CI systems look for their files, such
 * as `../../`. It is empty at the root and outside a repository.
 */
export function pathToRepository(folder: string): string {
  const root = findAbove(folder, (one) => existsSync(join(one, '.git'))) ?? folder;
  const path = relative(folder, root).replaceAll('\\', '/');
  return path === '' ? '' : `${path}/`;
}

/** Lists the files to create or change. In existing files of the project, everything else stays as it is. */
export async function planEdits(project: Project, choices: Choices): Promise<readonly Edit[]> {
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
    const toRoot = pathToRepository(folder);
    const place = relative(join(folder, toRoot), folder).replaceAll('\\', '/');
    const template = readText(join(packageRoot(), 'templates/init', `${ci}.yml`));
    const render = await compileTemplates([[ci, template]]);
    // docs/how-to/ci-generated-files.md shows the same text.
    const workflow = render(ci, {
      workingFolder: place === '' ? '' : JSON.stringify(place),
      enter: place === '' ? [] : [JSON.stringify(`cd '${place.replaceAll("'", `'\\''`)}'`)],
      install: manifest === undefined ? [] : manager.install,
      command: manifest === undefined ? npx : `${manager.run} openapi-switchyard`,
      out,
      changes: place === '' ? 'changes.md' : JSON.stringify(`${place}/changes.md`),
    });
    const path = ci === 'github' ? '.github/workflows/switchyard.yml' : '.gitlab/switchyard.gitlab-ci.yml';
    plan(toRoot + path, 'checks pull requests and the main branch', workflow);
  }

  if (manifest !== undefined)
    plan('package.json', 'scripts, and the packages that they need', (text) => {
      // Keeps indentation and line breaks.
      const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? '  ';
      const wired = wireManifest(manifest, project, choices);
      const printed = `${JSON.stringify(wired, undefined, indent)}${text.endsWith('\n') ? '\n' : ''}`;
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
function wireManifest(manifest: JsonObject, { isWorkspace, manager }: Project, { out, scope }: Choices): JsonObject {
  // Existing members keep their position and their value.
  const add = (field: string, wanted: Readonly<Record<string, string>>): JsonObject => {
    const present = asObject(manifest[field]);
    return { ...present, ...wanted, ...present };
  };
  const wired: JsonObject = { ...manifest, scripts: add('scripts', scripts) };
  if (!dependsOn('openapi-switchyard', manifest))
    wired['devDependencies'] = add('devDependencies', { 'openapi-switchyard': readPackageVersion() });
  if (scope === undefined) return wired;
  if (manager.name !== 'pnpm') {
    // The field is a list, or an object with a list.
    const field = manifest['workspaces'];
    const listedPatterns = isJsonObject(field) ? field['packages'] : field;
    const patterns = [...new Set([...(Array.isArray(listedPatterns) ? listedPatterns : []), `${out}/*`])];
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
