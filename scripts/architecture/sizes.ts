import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { type Module, modules, type SourceFile } from './source-files.ts';

export type ProductFile = { readonly path: string; readonly lines: number };

export type ProductSize = {
  readonly files: number;
  readonly lines: number;
  readonly medianFile: number;
  readonly functions: { readonly median: number; readonly p95: number; readonly max: number };
};

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
function isWrittenByScript({ syntax }: SourceFile): boolean {
  return /^\/\/ Written .*by `npm run [\w-]+`\.\n/.test(syntax.text);
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

export function measureSize(product: readonly ProductFile[], files: readonly SourceFile[]): ProductSize {
  const paths = new Set(product.map(({ path }) => path));
  const lengths = files.flatMap(({ path, functions }) => (paths.has(path) ? functions : []));
  return {
    files: product.length,
    lines: product.reduce((sum, { lines }) => sum + lines, 0),
    medianFile: quantile(
      product.map(({ lines }) => lines),
      0.5,
    ),
    functions: { median: quantile(lengths, 0.5), p95: quantile(lengths, 0.95), max: Math.max(0, ...lengths) },
  };
}

export function measureModules(product: readonly ProductFile[], files: readonly SourceFile[]): [Module, ProductSize][] {
  return modules.map((module) => [
    module,
    measureSize(
      product.filter(({ path }) => path.startsWith(`${module}/`)),
      files,
    ),
  ]);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** The closure of imports, and of file names in strings (workers, built copies), over the entry points. */
function findReachedSources(files: readonly SourceFile[]): ReadonlySet<string> {
  const byPath = new Map(files.filter(({ isTest }) => !isTest).map((file) => [file.path, file]));
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) return;
    reached.add(path);
    for (const { target } of [...file.imports, ...findPathsInStrings(file)]) visit(target);
  };
  for (const path of byPath.keys()) if (/^scripts\/[^/]+$|^runtime\/src\/|\/src\/index\.ts$/.test(path)) visit(path);
  return reached;
}

function findPathsInStrings(file: SourceFile): { target: string }[] {
  const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
  const found: { target: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && /^\.{1,2}\/.*\.(?:ts|mjs)$/.test(node.text))
      found.push({ target: new URL(node.text, `file:///${folder}`).pathname.slice(1) });
    ts.forEachChild(node, visit);
  };
  visit(file.syntax);
  return found;
}
