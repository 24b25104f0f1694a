import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dirname } from 'node:path/posix';
import ts from 'typescript';
import { findModule, type Module, type SourceFile } from './source-files.ts';

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
 * module, types, and the one way to claim a file among processes.
 */
export const directImports = [
  { from: 'scripts/', to: 'contract-tests/src/requires.ts', typeOnly: false },
  { from: 'generator/', to: 'runtime/src/descriptor.ts', typeOnly: true },
  { from: 'generator/', to: 'runtime/src/node/claim.ts', typeOnly: false },
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
  handlebars: ['generator/src/emit/package-sources.ts', 'generator/src/site/page-templates.ts'],
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
    'contract-tests/src/wire/connections.ts',
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
    'contract-tests/src/report/parse-report.ts',
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
  return files.flatMap((file) => [
    ...findModuleProblems(file),
    ...(file.isTest ? [] : [...findPackageProblems(file), ...findEffectProblems(file)]),
  ]);
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
  return file.imports.flatMap(({ target, isOwn, typeOnly }) => {
    const to = isOwn ? findModule(target) : undefined;
    const isException = directImports.some(
      (allowed) => file.path.startsWith(allowed.from) && target === allowed.to && (typeOnly || !allowed.typeOnly),
    );
    if (to === undefined || to === file.module || isException) return [];
    if (!isComposition && !mayImport[file.module].includes(to))
      return [`${file.path} imports ${target}: ${file.module} must not import ${to}`];
    // `scripts/` composes as the tests there do, and has no entry point.
    return target === `${to}/src/index.ts` || (isComposition && to === 'scripts')
      ? []
      : [`${file.path} imports ${target}: import another module through ${to}/src/index.ts`];
  });
}

function findPackageProblems(file: SourceFile): string[] {
  return file.imports.flatMap(({ target }) => {
    const owners = Object.entries(packageOwners).find(
      ([name]) => target === name || target.startsWith(`${name}/`),
    )?.[1];
    return owners === undefined || isOwner(owners, file.path)
      ? []
      : [`${file.path} imports ${target}; only ${owners.join(', ')} may`];
  });
}

function findEffectProblems(file: SourceFile): string[] {
  if (file.module === 'scripts') return [];
  return [...new Set(effectsIn(file))]
    .filter((word) => !isOwner(effectOwners[word] ?? [], file.path))
    .map((word) => `${file.path} uses ${word}; only ${effectOwners[word]?.join(', ') || 'scripts/'} may`);
}

function isOwner(owners: readonly string[], path: string): boolean {
  return owners.some((owner) => (owner.endsWith('/') ? path.startsWith(owner) : path === owner));
}

const isEffect = (word: string): boolean => Object.hasOwn(effectOwners, word);

function effectsIn(file: SourceFile): string[] {
  const imported = file.imports.map(({ target }) => target).filter(isEffect);
  const declared = new Set<string>();
  const used: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (
      (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) &&
      ts.isIdentifier(node.name)
    )
      declared.add(node.name.text);
    if (ts.isIdentifier(node) && isEffect(node.text) && isGlobalUse(node)) used.push(node.text);
    if (ts.isPropertyAccessExpression(node) && node.getText(file.syntax) === 'Math.random')
      imported.push('Math.random');
    ts.forEachChild(node, visit);
  };
  visit(file.syntax);
  // A name that the file declares itself is not the global.
  return [...imported, ...used.filter((word) => !declared.has(word))];
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

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Files that import each other, and folders of a module that do; type-only imports count. */
export function findCycles(files: readonly SourceFile[]): string[] {
  const edges = files.flatMap((file) =>
    file.imports.filter(({ isOwn }) => isOwn).map(({ target }) => ({ from: file, target })),
  );
  const fileGraph = buildGraph(edges.map(({ from, target }) => [from.path, target]));
  const folderGraph = buildGraph(
    edges
      .filter(({ from }) => !from.isTest && !from.path.endsWith('/index.ts'))
      .map(({ from, target }): [string, string] => [dirname(from.path), dirname(target)])
      .filter(([from, to]) => from.includes('/src/') && to.includes('/src/') && !isNested(from, to)),
  );
  return [
    ...cyclesIn(fileGraph).map((trail) => `import cycle: ${trail.join(' → ')}`),
    ...mutualPairs(folderGraph).map(([one, other]) => `folders import each other: ${one} ↔ ${other}`),
  ];
}

const isNested = (one: string, other: string): boolean =>
  `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);

function buildGraph(edges: readonly (readonly [string, string])[]): Graph {
  const graph = new Map<string, Set<string>>();
  for (const [from, to] of edges) graph.set(from, (graph.get(from) ?? new Set()).add(to));
  return graph;
}

function cyclesIn(graph: Graph): string[][] {
  const finished = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (finished.has(path)) return;
    const at = trail.indexOf(path);
    if (at >= 0) {
      cycles.push([...trail.slice(at), path]);
      return;
    }
    for (const target of graph.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return cycles;
}

function mutualPairs(graph: Graph): [string, string][] {
  return [...graph].flatMap(([from, targets]) =>
    [...targets].filter((to) => from < to && graph.get(to)?.has(from)).map((to): [string, string] => [from, to]),
  );
}
