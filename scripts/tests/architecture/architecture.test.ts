import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { findBoundaryProblems, findFolderCycles } from './imports.ts';
import { readSourceFiles, type SourceFile } from './source-files.ts';

let root = '';
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A repository of the given files, with a folder for every module. */
function writeSources(sources: Record<string, string>): SourceFile[] {
  root = mkdtempSync(join(tmpdir(), 'switchyard-architecture-'));
  for (const module of ['specs', 'runtime', 'generator', 'sandbox', 'contract-tests', 'scripts'])
    mkdirSync(join(root, module));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readSourceFiles(root);
}

const table: readonly {
  name: string;
  find: (files: readonly SourceFile[]) => string[];
  bad: Record<string, string>;
  good: Record<string, string>;
}[] = [
  {
    name: 'reports a module that imports one it must not',
    find: findBoundaryProblems,
    bad: { 'sandbox/src/a.ts': `import { x } from '../../generator/src/index.ts';` },
    good: { 'sandbox/src/a.ts': `import { x } from '../../specs/src/index.ts';` },
  },
  {
    name: 'counts a type-only import',
    find: findBoundaryProblems,
    bad: { 'contract-tests/src/a.ts': `import type { X } from '../../runtime/src/descriptor.ts';` },
    good: { 'generator/src/a.ts': `import type { X } from '../../runtime/src/descriptor.ts';` },
  },
  {
    name: 'counts a dynamic import',
    find: findBoundaryProblems,
    bad: { 'specs/src/a.ts': `export const x = () => import('../../sandbox/src/index.ts');` },
    good: { 'scripts/a.ts': `export const x = () => import('../sandbox/src/index.ts');` },
  },
  {
    name: 'reports a deep path into another module',
    find: findBoundaryProblems,
    bad: { 'scripts/a.ts': `import { x } from '../sandbox/src/app.ts';` },
    good: { 'contract-tests/tests/a.ts': `import { x } from '../../sandbox/src/index.ts';` },
  },
  {
    name: 'reports folders that import each other',
    find: findFolderCycles,
    bad: { 'specs/src/a/x.ts': `import '../b/y.ts';`, 'specs/src/b/z.ts': `import type { X } from '../a/w.ts';` },
    good: { 'specs/src/a/x.ts': `import '../b/y.ts';`, 'specs/src/b/y.test.ts': `import { x } from '../a/x.ts';` },
  },
  {
    name: 'does not count a folder and one inside it as two',
    find: findFolderCycles,
    bad: { 'specs/src/a/x.ts': `import '../b/y.ts';`, 'specs/src/b/y.ts': `import '../a/z.ts';` },
    good: { 'specs/src/a/x.ts': `import './b/y.ts';`, 'specs/src/a/b/y.ts': `import '../z.ts';` },
  },
];

test.each(table)('$name', ({ find, bad, good }) => {
  expect(find(writeSources(bad))).not.toEqual([]);
  rmSync(root, { recursive: true });
  expect(find(writeSources(good))).toEqual([]);
});
