import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { directImports, findBoundaryProblems, findFolderCycles } from './imports.ts';
import { listDocumentFiles, listProductFiles } from './sizes.ts';
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

const typesOnly = directImports.find(({ from }) => from === 'generator/') ?? { from: '', to: '' };

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
    bad: { 'contract-tests/src/a.ts': `import type { X } from '../../${typesOnly.to}';` },
    good: { [`${typesOnly.from}src/a.ts`]: `import type { X } from '../../${typesOnly.to}';` },
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

test('counts what an entry point reaches, data files and the site; documents apart; neither tests, nor their helpers, nor what a script writes', () => {
  const files = writeSources({
    'sandbox/src/index.ts': `import { a } from './a.ts';\nimport { made } from './made.ts';\nexport const thread = new URL('./thread.ts', import.meta.url);`,
    'sandbox/src/a.ts': 'export function a() {\n  return 1;\n}\nexport const b = () => 2;\n',
    'sandbox/src/thread.ts': 'a();\n',
    'sandbox/src/made.ts': '// Written from the rows of a.ts by `npm run made`.\nexport const made = 1;\n',
    'sandbox/src/a.test.ts': `import { helper } from './helper.ts';\n`,
    'sandbox/src/helper.ts': 'export const helper = 1;\n',
    'contract-tests/reasons.yaml': 'one: reason\n',
    'contract-tests/result.schema.json': '{}\n',
    'contract-tests/tests/run.json': '{}\n',
    'runtime/unproven.json': '{}\n',
    'specs/assumptions.yaml': 'one: choice\n',
    'docs/site/build.ts': 'build();\n',
    'docs/site/package-lock.json': '{}\n',
    'docs/site/node_modules/one/index.mjs': 'build();\n',
  });
  const product = listProductFiles(root, files);
  expect(product.map(({ path }) => path)).toEqual([
    'sandbox/src/a.ts',
    'sandbox/src/index.ts',
    'sandbox/src/thread.ts',
    'runtime/unproven.json',
    'contract-tests/reasons.yaml',
    'docs/site/build.ts',
  ]);
  expect(listDocumentFiles(root).map(({ path }) => path)).toEqual([
    'specs/assumptions.yaml',
    'contract-tests/result.schema.json',
  ]);
});
