import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { dirname, join as joinPaths } from 'node:path/posix';
import ts from 'typescript';

export type SourceFile = {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly module: Module;
  readonly isTest: boolean;
  /** Imports, including type-only ones: paths relative to the repository, or names of packages. */
  readonly imports: readonly string[];
};

export const modules = ['specs', 'runtime', 'generator', 'sandbox', 'contract-tests', 'scripts'] as const;
export type Module = (typeof modules)[number];

export function findModule(path: string): Module | undefined {
  return modules.find((module) => path.startsWith(`${module}/`));
}

/** Reads all TypeScript and JavaScript sources of the modules, sorted by path. */
export function readSourceFiles(root: string): SourceFile[] {
  return modules.flatMap((module) =>
    readdirSync(join(root, module), { recursive: true, encoding: 'utf8' })
      .map((name) => join(module, name).split(sep).join('/'))
      .filter((path) => /(?<!\.d)\.(?:ts|mjs)$/.test(path) && !path.includes('node_modules'))
      .sort()
      .map((path) => readSourceFile(root, module, path)),
  );
}

function readSourceFile(root: string, module: Module, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  return {
    path,
    module,
    isTest: path.endsWith('.test.ts') || /\/(?:tests|fixtures)\//.test(path),
    imports: ts.preProcessFile(text).importedFiles.map(({ fileName }) => resolveImport(path, fileName)),
  };
}

function resolveImport(from: string, name: string): string {
  return name.startsWith('.') ? joinPaths(dirname(from), name) : name;
}
