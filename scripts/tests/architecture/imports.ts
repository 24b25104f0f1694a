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

/** Data files of the gate that commands import by themselves, because most of them don't need the whole gate. */
const directImports = [
  { from: 'scripts/', to: 'contract-tests/src/report/formats.ts' },
  { from: 'scripts/', to: 'contract-tests/src/requires.ts' },
];

/** Imports that leave a module's allowed set, or skip its entry point. */
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
    // Packages carry the files of the runtime as they are, so each is an entry point. `scripts/` has none.
    const isEntryPoint = target === `${to}/src/index.ts` || to === 'runtime';
    const isTestHelper = isComposition && (to === 'scripts' || target.startsWith(`${to}/tests/`));
    return isEntryPoint || isTestHelper
      ? []
      : [`${file.path} imports ${target}: import another module through ${to}/src/index.ts`];
  });
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
