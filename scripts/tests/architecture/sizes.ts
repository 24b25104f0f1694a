import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { dirname, join as joinPaths } from 'node:path/posix';
import { modules, type SourceFile } from './source-files.ts';

export type ProductFile = { readonly path: string; readonly lines: number };

/** Sources that an entry point reaches (no tests, no test helpers, nothing that a script writes), data files, and the sources of the documentation site. */
export function listProductFiles(root: string, files: readonly SourceFile[]): ProductFile[] {
  const reached = findReachedSources(files);
  const data = modules
    .filter((module) => module !== 'specs')
    .flatMap((module) => listFilesBelow(root, module, /(?<!\.schema)\.(?:ya?ml|json)$/));
  const site = listFilesBelow(root, 'docs/site', /\.(?:ts|mjs|css|json)$/);
  return [...files.filter((file) => reached.has(file.path) && !isWrittenByScript(file)), ...data, ...site];
}

/** As such a file says in its first line. */
function isWrittenByScript({ text }: SourceFile): boolean {
  return /^\/\/ Written .*by `npm run [\w-]+`\.\n/.test(text);
}

/** What is written by hand in another language than TypeScript and is no product code: documents, the register, models, JSON Schemas. */
export function listDocumentFiles(root: string): ProductFile[] {
  return modules.flatMap((module) =>
    listFilesBelow(root, module, module === 'specs' ? /\.(?:ya?ml|json)$/ : /\.schema\.json$/),
  );
}

export function listTemplateFiles(root: string): ProductFile[] {
  return listFilesBelow(root, 'templates', /./);
}

/** Files that were written by hand: neither tests, nor installed, nor built, nor locked. */
function listFilesBelow(root: string, folder: string, names: RegExp): ProductFile[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name) && entry.name !== 'package-lock.json')
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'))
    .filter(
      (path) => !/\/(?:tests|fixtures|node_modules)\/|^docs\/site\/(?:pages|dist|\.vitepress\/cache)\//.test(path),
    )
    .sort()
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }));
}

/** The closure over the entry points: of imports, and of files that threads and built copies load by name. */
function findReachedSources(files: readonly SourceFile[]): ReadonlySet<string> {
  const byPath = new Map(files.filter(({ isTest }) => !isTest).map((file) => [file.path, file]));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) return;
    reached.add(path);
    for (const [, name = ''] of file.text.matchAll(/['"`](\.{1,2}\/[^'"`\s]*\.(?:ts|mjs))['"`]/g))
      visit(joinPaths(dirname(path), name));
  };
  for (const path of byPath.keys()) if (/^scripts\/[^/]+$|^runtime\/src\/|\/src\/index\.ts$/.test(path)) visit(path);
  return reached;
}
