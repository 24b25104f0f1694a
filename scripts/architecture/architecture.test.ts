import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { circleProblems } from './circles.ts';
import { impureProblems } from './impure-words.ts';
import { layerProblems } from './layers.ts';
import { sizeProblems } from './sizes.ts';
import { readSourceFiles, type SourceFile } from './source-files.ts';

let root = '';
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A repository of the given files; every wing's folder exists. */
function filesOf(sources: Record<string, string>): SourceFile[] {
  root = mkdtempSync(join(tmpdir(), 'switchyard-architecture-'));
  for (const wing of ['specs', 'runtime', 'generator', 'sandbox', 'contract-tests', 'scripts'])
    mkdirSync(join(root, wing));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return readSourceFiles(root);
}

const lines = (count: number): string => 'export const a = 1;\n'.repeat(count);

const table: readonly {
  name: string;
  find: (files: readonly SourceFile[]) => string[];
  bad: Record<string, string>;
  good: Record<string, string>;
}[] = [
  {
    name: 'a wing that imports another',
    find: layerProblems,
    bad: { 'sandbox/src/a.ts': `import { x } from '../../generator/src/index.ts';` },
    good: { 'sandbox/src/a.ts': `import { x } from '../../specs/src/index.ts';` },
  },
  {
    name: 'a type-only import counts',
    find: layerProblems,
    bad: { 'contract-tests/src/a.ts': `import type { X } from '../../runtime/src/descriptor.ts';` },
    good: { 'generator/src/a.ts': `import type { X } from '../../runtime/src/descriptor.ts';` },
  },
  {
    name: 'a dynamic import counts',
    find: layerProblems,
    bad: { 'specs/src/a.ts': `export const x = () => import('../../sandbox/src/index.ts');` },
    good: { 'scripts/a.ts': `export const x = () => import('../sandbox/src/index.ts');` },
  },
  {
    name: 'a deep path of another wing',
    find: layerProblems,
    bad: { 'scripts/a.ts': `import { x } from '../sandbox/src/app.ts';` },
    good: { 'contract-tests/tests/a.ts': `import { x } from '../../sandbox/src/index.ts';` },
  },
  {
    name: 'a package around its owner',
    find: layerProblems,
    bad: { 'generator/src/a.ts': `import { parse } from 'yaml';` },
    good: { 'specs/src/documents/read-document.ts': `import { parse } from 'yaml';` },
  },
  {
    name: 'files that import each other',
    find: circleProblems,
    bad: { 'specs/src/a.ts': `import type { B } from './b.ts';`, 'specs/src/b.ts': `import { a } from './a.ts';` },
    good: { 'specs/src/a.ts': `import { b } from './b.ts';`, 'specs/src/b.ts': 'export const b = 1;' },
  },
  {
    name: 'a file past the limit',
    find: sizeProblems,
    bad: { 'specs/src/a.ts': lines(301) },
    good: { 'specs/src/a.ts': lines(300) },
  },
  {
    name: 'a function past the limit',
    find: sizeProblems,
    bad: { 'specs/src/a.ts': `export function f() {\n${lines(60)}}\n` },
    good: { 'specs/src/a.ts': `export function f() {\n${lines(58)}}\n` },
  },
  {
    name: 'five parameters',
    find: sizeProblems,
    bad: { 'specs/src/a.ts': 'export const f = (a, b, c, d, e) => { return a; };' },
    good: { 'specs/src/a.ts': 'export const f = (a, b, c, d) => { return a; };' },
  },
  {
    name: 'a name that says nothing',
    find: sizeProblems,
    bad: { 'specs/src/utils.ts': lines(1) },
    good: { 'specs/src/retry-after.ts': lines(1) },
  },
  {
    name: 'an impure word',
    find: impureProblems,
    bad: { 'generator/src/a.ts': 'export const now = () => Date.now();' },
    good: { 'generator/src/adapters/system-clock.ts': 'export const now = () => Date.now();' },
  },
  {
    name: 'an impure module',
    find: impureProblems,
    bad: { 'generator/src/a.ts': `import { readFileSync } from 'node:fs';` },
    good: { 'generator/src/a.test.ts': `import { readFileSync } from 'node:fs';` },
  },
  {
    name: 'a name of its own is not the global',
    find: impureProblems,
    bad: { 'runtime/src/a.ts': 'export const x = () => fetch("/");' },
    good: { 'runtime/src/a.ts': 'export const x = (fetch: () => void) => fetch();' },
  },
];

test.each(table)('$name', ({ find, bad, good }) => {
  expect(find(filesOf(bad))).not.toEqual([]);
  rmSync(root, { recursive: true });
  expect(find(filesOf(good))).toEqual([]);
});
