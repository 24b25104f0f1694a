import { dirname } from 'node:path/posix';
import { findModule, type Module, type SourceFile } from './source-files.ts';

/** Which of our modules each module may import, always through `src/index.ts`. */
const mayImport: Record<Module, readonly Module[]> = {
  specs: [],
  runtime: [],
  generator: ['specs', 'runtime'],
  sandbox: ['specs', 'runtime'],
  'contract-tests': ['specs'],
  scripts: ['specs', 'runtime', 'generator', 'sandbox', 'contract-tests'],
};

/** Data files of the gate that commands import directly, because most commands don't need the whole gate. */
const directImports = [
  { from: 'scripts/', to: 'contract-tests/src/report/formats.ts' },
  { from: 'scripts/', to: 'contract-tests/src/requires.ts' },
];

/** Finds imports of modules that a module may not import, and imports that bypass an entry point. */
export function findBoundaryProblems(files: readonly SourceFile[]): string[] {
  return files.flatMap(findModuleProblems);
}

function findModuleProblems(file: SourceFile): string[] {
  const isComposition = /^(?:contract-tests|scripts)\/tests\//.test(file.path);
  return file.imports.flatMap((target) => {
    const to = findModule(target);
    const isException = directImports.some((allowed) => file.path.startsWith(allowed.from) && target === allowed.to);
    if (to === undefined || to === file.module || isException) return [];
    if (!isComposition && !mayImport[file.module].includes(to))
      return [`${file.path} imports ${target}: ${file.module} must not import ${to}`];
    // Generated packages contain the runtime files unchanged, so each is an entry point. `scripts/` has no entry point.
    const isEntryPoint = target === `${to}/src/index.ts` || to === 'runtime';
    const isTestHelper = isComposition && (to === 'scripts' || target.startsWith(`${to}/tests/`));
    return isEntryPoint || isTestHelper
      ? []
      : [`${file.path} imports ${target}: import the module ${to} through ${to}/src/index.ts`];
  });
}

/** Finds folders that import each other, unless one contains the other. Type-only imports count. */
export function findFolderCycles(files: readonly SourceFile[]): string[] {
  const edges = files
    .filter(({ isTest, path }) => !isTest && path.includes('/src/') && !path.endsWith('/index.ts'))
    .flatMap(({ path, imports }) => imports.map((target) => ({ from: `${dirname(path)}/`, to: `${dirname(target)}/` })))
    .filter(({ from, to }) => to.includes('/src/') && !from.startsWith(to) && !to.startsWith(from));
  const known = new Set(edges.map(({ from, to }) => `${from} ↔ ${to}`));
  const mutual = edges.filter(({ from, to }) => from < to && known.has(`${to} ↔ ${from}`));
  return [...new Set(mutual.map(({ from, to }) => `folders import each other: ${from} ↔ ${to}`))];
}
