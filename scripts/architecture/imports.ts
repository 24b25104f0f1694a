import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import ts from 'typescript';
import { findModule, type Module, nodesIn, type SourceFile } from './source-files.ts';

/** Which of our modules each module may import, always through `src/index.ts`. */
const mayImport: Record<Module, readonly Module[]> = {
  specs: [],
  runtime: [],
  generator: ['specs'],
  sandbox: ['specs'],
  'contract-tests': ['specs'],
  scripts: ['specs', 'runtime', 'generator', 'sandbox', 'contract-tests'],
};

/**
 * Files of another module that are imported as they are: data, for which commands that need nothing else would load the whole
 * module, a file of nothing but types, and the one way to claim a file among processes.
 */
export const directImports = [
  { from: 'scripts/', to: 'contract-tests/src/requires.ts' },
  { from: 'generator/', to: 'runtime/src/descriptor.ts' },
  { from: 'generator/', to: 'runtime/src/node/claim.ts' },
];

/** Packages that only the named files of the product import; a folder ends with a slash. */
export const packageOwners: Readonly<Record<string, readonly string[]>> = {
  yaml: [
    'specs/src/documents/read-document.ts',
    'contract-tests/src/report/waivers.ts',
    'scripts/requirement-proofs.ts',
  ],
  ajv: ['specs/src/schema/schema-check.ts', 'specs/src/schema/bounded-ajv.ts'],
  'ajv-formats': ['specs/src/schema/bounded-ajv.ts'],
  'openapi-fetch': ['runtime/src/paths-client.ts'],
  '@opentelemetry/api': ['runtime/src/opentelemetry/'],
  handlebars: ['generator/src/site/page-templates.ts'],
  'node:sqlite': ['sandbox/src/state/state-file.ts'],
};

/** Globals and Node modules with effects, and the only places that use them; `scripts/` is free. */
const effectOwners: Readonly<Record<string, readonly string[]>> = {
  fetch: ['contract-tests/src/wire/'],
  Date: ['sandbox/src/clock.ts', 'generator/src/adapters/', 'contract-tests/src/wire/', 'runtime/src/http/clock.ts'],
  setTimeout: ['sandbox/src/clock.ts', 'generator/src/adapters/', 'contract-tests/src/wire/', 'runtime/src/http/'],
  setInterval: ['runtime/src/key-store/held-calls.ts', 'runtime/src/node/claim.ts'],
  performance: ['contract-tests/src/wire/', 'runtime/src/http/clock.ts'],
  process: [
    'generator/src/adapters/',
    'sandbox/src/http/request-log.ts',
    'contract-tests/src/targets/mock.ts',
    'contract-tests/src/record/child.ts',
    'contract-tests/src/record/supervise.ts',
    'contract-tests/src/wire/http-exchanger.ts',
    'runtime/src/node/claim.ts',
  ],
  console: [],
  'Math.random': ['runtime/src/http/clock.ts'],
  'node:fs': [
    'specs/src/files.ts',
    'generator/src/adapters/',
    'sandbox/src/catalog-folder.ts',
    'sandbox/src/state/state-file.ts',
    'contract-tests/src/record/engine-thread.ts',
    'contract-tests/src/report/compare.ts',
    'contract-tests/src/report/render-html.ts',
  ],
  'node:fs/promises': [
    'generator/src/adapters/',
    'contract-tests/src/record/report-folders.ts',
    'contract-tests/src/targets/mock.ts',
    'runtime/src/node/',
  ],
  'node:http': ['generator/src/adapters/', 'contract-tests/src/wire/', 'sandbox/src/http/'],
  'node:https': ['generator/src/adapters/', 'contract-tests/src/wire/'],
  'node:child_process': ['contract-tests/src/targets/mock.ts', 'contract-tests/src/record/supervise.ts'],
};

/** Imports that leave a module's allowed set, skip its entry point, or use a package or an effect in the wrong place. */
export function findBoundaryProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => [...findModuleProblems(file), ...(file.isTest ? [] : findOwnerProblems(file))]);
}

/** Paths of the tables above that do not exist. */
export function findStaleBoundaries(root: string): string[] {
  const named = [...Object.values(packageOwners), ...Object.values(effectOwners)].flat();
  return [...new Set([...named, ...directImports.map(({ to }) => to)])]
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `scripts/architecture/imports.ts names ${path}, which does not exist`);
}

function findModuleProblems(file: SourceFile): string[] {
  const isComposition = file.path.startsWith('contract-tests/tests/');
  return file.imports.flatMap((target) => {
    const to = findModule(target);
    const isException = directImports.some((allowed) => file.path.startsWith(allowed.from) && target === allowed.to);
    if (to === undefined || to === file.module || isException) return [];
    if (!isComposition && !mayImport[file.module].includes(to))
      return [`${file.path} imports ${target}: ${file.module} must not import ${to}`];
    // `scripts/` composes as the tests there do, and has no entry point.
    return target === `${to}/src/index.ts` || (isComposition && to === 'scripts')
      ? []
      : [`${file.path} imports ${target}: import another module through ${to}/src/index.ts`];
  });
}

function findOwnerProblems(file: SourceFile): string[] {
  const used = new Set([...file.imports, ...file.imports.map(findPackage), ...listGlobals(file.syntax)]);
  const owned = file.module === 'scripts' ? packageOwners : { ...packageOwners, ...effectOwners };
  return Object.entries(owned)
    .filter(([name, owners]) => used.has(name) && !isOwner(owners, file.path))
    .map(([name, owners]) => `${file.path} uses ${name}; only ${owners.join(', ') || 'scripts/'} may`);
}

/** Of `name/path` or `@scope/name/path`; a module of Node keeps its path. */
function findPackage(target: string): string {
  return /^(?:@[^/]+\/|node:.*)?[^/]*/.exec(target)?.[0] ?? target;
}

function isOwner(owners: readonly string[], path: string): boolean {
  return owners.some((owner) => (owner.endsWith('/') ? path.startsWith(owner) : path === owner));
}

/** Names that a file uses as globals: one that it declares itself is none. */
function listGlobals(syntax: ts.SourceFile): string[] {
  const nodes = [...nodesIn(syntax, (node) => !ts.isTypeNode(node))];
  const declared = new Set(
    nodes
      .filter((node) => ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node))
      .map(({ name }) => name.getText(syntax)),
  );
  const identifiers = nodes.filter((node) => ts.isIdentifier(node)).filter(isGlobalUse);
  const members = nodes.filter((node) => ts.isPropertyAccessExpression(node));
  return [...identifiers, ...members].map((node) => node.getText(syntax)).filter((word) => !declared.has(word));
}

// A member, a property key or a parameter with the global's name is not the global.
function isGlobalUse(node: ts.Identifier): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return true;
  return ts.isVariableDeclaration(parent)
    ? parent.initializer === node
    : ts.isShorthandPropertyAssignment(parent) || ts.isBinaryExpression(parent);
}

/** Folders of a module that import each other, one of which is not in the other; type-only imports count. */
export function findFolderCycles(files: readonly SourceFile[]): string[] {
  const edges = files
    .filter(({ isTest, path }) => !isTest && path.includes('/src/') && !path.endsWith('/index.ts'))
    .flatMap(({ path, imports }) => imports.map((target) => ({ from: `${dirname(path)}/`, to: `${dirname(target)}/` })))
    .filter(({ from, to }) => to.includes('/src/') && !from.startsWith(to) && !to.startsWith(from));
  const known = new Set(edges.map(({ from, to }) => `${from} ↔ ${to}`));
  const mutual = edges.filter(({ from, to }) => from < to && known.has(`${to} ↔ ${from}`));
  return [...new Set(mutual.map(({ from, to }) => `folders import each other: ${from} ↔ ${to}`))];
}
