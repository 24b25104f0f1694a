import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { makeChange } from './change.ts';
import { type DiffReport, type ModelDiff, renderDiffText } from './diff-report.ts';
import { selectUsed } from './used-by.ts';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const model = (id: string): ModelDiff => ({
  id,
  kind: 'changed',
  verdict: 'breaking',
  changes: [
    makeChange('property-removed', 'input', { pointer: '/input/properties/seed', field: 'seed' }),
    makeChange('property-added-optional', 'output', { pointer: '/outputs/x', field: 'url' }),
    makeChange('export-removed', 'output', { pointer: '', before: ['Image'] }),
  ],
});
const report: DiffReport = {
  format: 1,
  verdict: 'breaking',
  counts: {
    models: { added: 0, removed: 0, renamed: 0, changed: 4, unchanged: 0 },
    changes: { breaking: 1, compatible: 1, cosmetic: 0 },
  },
  models: [model('p/drawn'), model('p/read'), model('q/called'), model('q/unused')],
  packages: [],
};

function search(sources: Record<string, string>) {
  folder = mkdtempSync(join(tmpdir(), 'used-'));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const models = ['p/drawn', 'p/read', 'q/called', 'q/unused', 'q/unchanged'];
  const outputs = [join(folder, 'generated')];
  return selectUsed(report, {
    workingFolder: folder,
    glob: 'src/**',
    packages: ['@acme/router-types'],
    outputs,
    models,
  });
}

function select(sources: Record<string, string>) {
  const { read, using, files, verdict, models } = search(sources);
  return {
    read,
    using,
    files,
    verdict,
    models: models.map((one) => [one.id, one.names, one.usedIn, one.changes.length]),
  };
}

/** Returns the line of the report that summarises the search for used models. */
function summarise(sources: Record<string, string>): string | undefined {
  return renderDiffText({ ...report, used: search(sources) }, ['old', 'new'])
    .split('\n')
    .find((line) => line.startsWith('searched'));
}

test('selects the models that files import, with the imported names', () => {
  expect(
    select({
      'src/draw.ts': "import { model, type Input } from '@acme/router-types/p/drawn';",
      'src/read.tsx': "import type { Output } from '../generated/models/p/read.js';",
      'src/nothing.ts': 'export const nothing = 1;',
      'src/deep/call.js': "await client.run('q/called', {}); // 'q/unused'",
      'other/unused.ts': "import { model } from '@acme/router-types/q/unused';",
    }),
  ).toEqual({
    read: 4,
    using: 3,
    files: 3,
    verdict: 'breaking',
    models: [
      ['p/drawn', ['Input', 'model'], ['src/draw.ts'], 2],
      ['p/read', ['Output'], ['src/read.tsx'], 1],
      ['q/called', [], ['src/deep/call.js'], 3],
    ],
  });
});

test('omits changes of inputs if files only import the output type of a model', () => {
  const source =
    "export type { Output } from '@acme/router-types/p/read'; type One = import('@acme/router-types/p/drawn').Output;";
  expect(select({ 'src/index.ts': source })).toMatchObject({
    verdict: 'compatible',
    models: [
      ['p/drawn', ['Output'], ['src/index.ts'], 1],
      ['p/read', ['Output'], ['src/index.ts'], 1],
    ],
  });
});

test.each([
  ['a package', "import { model } from '@acme/router-types/p/drawn';", ['p/drawn']],
  ['a path', "import { model } from '../../generated/models/p/drawn.js';", ['p/drawn']],
  ['a path without an ending', "export * from '../../generated/models/p/drawn';", ['p/drawn']],
  ['an alias of a path', "import schema from '@/generated/models/p/drawn.schema.json';", ['p/drawn']],
  ['a schema of a package', "import schema from '@acme/router-types/p/drawn/schema.json';", ['p/drawn']],
  ['the index of a package', "import { modelIds } from '@acme/router-types/all';", ['p/drawn', 'p/read']],
  ['the index by its path', "import { modelIds } from '../../generated/models/all.js';", ['p/drawn', 'p/read']],
  ['another package', "import { model } from '@other/router-types/p/drawn';", []],
  ['another path', "import { model } from './p/drawn.js';", []],
])('finds models that are imported from %s', (_, source, ids) => {
  const { models } = search({ 'src/deep/index.ts': source });
  expect(models.map(({ id }) => id).slice(0, 2)).toEqual(ids);
});

test.each([
  ['no file matches', {}, 'searched 0 files of `src/**` for'],
  [
    'nothing imports or names a model',
    { 'src/a.ts': "import '@acme/model-router';" },
    'searched 1 file of `src/**` for',
  ],
  [
    '1 file with models; no model that they use changed',
    { 'src/a.ts': "run('q/unchanged');", 'src/b.ts': '' },
    'searched 2 files of `src/**` for',
  ],
  [
    '2 files with models; 1 file with changed models: breaking',
    { 'src/a.ts': "run('q/unchanged');", 'src/b.ts': "run('q/called');" },
    'searched 2 files of `src/**` for',
  ],
])('the line about used models ends with "%s"', (result, sources, start) => {
  const places = 'imports of `@acme/router-types`, imports of `generated/models`, ids of models';
  expect(summarise(sources)).toBe(`${start} ${places}: ${result}`);
});
