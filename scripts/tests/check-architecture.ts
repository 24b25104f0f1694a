import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { dirname, join as joinPaths } from 'node:path/posix';
import ts from 'typescript';
import { packageRoot } from '../../specs/src/index.ts';

// Checks the direction of imports between modules, and that no two folders import each other. Type-only imports count.

/** Which of our modules each module may import, always through `src/index.ts`. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  specs: [],
  runtime: [],
  generator: ['specs', 'runtime'],
  sandbox: ['specs', 'runtime'],
  'contract-tests': ['specs'],
  scripts: ['specs', 'runtime', 'generator', 'sandbox', 'contract-tests'],
};

/** Data files of the gate that commands import directly, because most commands don't need the whole gate. */
const directImports = ['contract-tests/src/report/formats.ts', 'contract-tests/src/requires.ts'];

type SourceFile = {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly module: string;
  /** Paths relative to the repository, or names of packages. */
  readonly imports: readonly string[];
};

/** Reads all TypeScript and JavaScript sources of the modules. */
const files = Object.keys(mayImport).flatMap((module) =>
  readdirSync(join(packageRoot(), module), { recursive: true, encoding: 'utf8' })
    .map((name) => join(module, name).split(sep).join('/'))
    .filter((path) => /(?<!\.d)\.(?:ts|mjs)$/.test(path) && !path.includes('node_modules'))
    .sort()
    .map((path): SourceFile => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(packageRoot(), path), 'utf8'));
      const names = importedFiles.map(({ fileName }) => fileName);
      const imports = names.map((name) => (name.startsWith('.') ? joinPaths(dirname(path), name) : name));
      return { path, module, imports };
    }),
);

/** Finds imports of modules that a module may not import, and imports that bypass an entry point. */
function findBoundaryProblems({ path, module, imports }: SourceFile): string[] {
  const isComposition = /^(?:contract-tests|scripts)\/tests\//.test(path);
  return imports.flatMap((target) => {
    const [to = ''] = target.split('/');
    const isException = module === 'scripts' && directImports.includes(target);
    if (!Object.hasOwn(mayImport, to) || to === module || isException) return [];
    if (!isComposition && !mayImport[module]?.includes(to))
      return [`${path} imports ${target}: ${module} must not import ${to}`];
    // Generated packages contain the runtime files unchanged, so each is an entry point. `scripts/` has no entry point.
    const isEntryPoint = target === `${to}/src/index.ts` || to === 'runtime';
    const isTestHelper = isComposition && (to === 'scripts' || target.startsWith(`${to}/tests/`));
    return isEntryPoint || isTestHelper
      ? []
      : [`${path} imports ${target}: import the module ${to} through ${to}/src/index.ts`];
  });
}

/** Finds folders that import each other, unless one contains the other. */
function findFolderCycles(): string[] {
  const edges = files
    .filter(({ path }) => path.includes('/src/') && !/\.test\.ts$|\/(?:tests|fixtures)\/|\/index\.ts$/.test(path))
    .flatMap(({ path, imports }) => imports.map((target) => ({ from: `${dirname(path)}/`, to: `${dirname(target)}/` })))
    .filter(({ from, to }) => to.includes('/src/') && !from.startsWith(to) && !to.startsWith(from));
  const known = new Set(edges.map(({ from, to }) => `${from} ↔ ${to}`));
  const mutual = edges.filter(({ from, to }) => from < to && known.has(`${to} ↔ ${from}`));
  return [...new Set(mutual.map(({ from, to }) => `folders import each other: ${from} ↔ ${to}`))];
}

const problems = [...files.flatMap(findBoundaryProblems), ...findFolderCycles()];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`architecture: ${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
