import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { DiffReport, ModelDiff } from './diff-report.ts';
import { classify } from './schema-change.ts';
import { selectUsed } from './used-by.ts';

let folder = '';
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const model = (id: string): ModelDiff => ({
  id,
  kind: 'changed',
  verdict: 'breaking',
  changes: [
    classify('property-removed', 'input', { pointer: '/input/properties/seed', field: 'seed' }),
    classify('property-added-optional', 'output', { pointer: '/outputs/x', field: 'url' }),
    classify('export-removed', 'output', { pointer: '', subject: 'Image' }),
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

function select(sources: Record<string, string>) {
  folder = mkdtempSync(join(tmpdir(), 'used-'));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { files, verdict, models } = selectUsed(report, folder, 'src/**');
  return { files, verdict, models: models.map((one) => [one.id, one.names, one.usedIn, one.changes.length]) };
}

test('selects the models that files import, with the names that they take', () => {
  expect(
    select({
      'src/draw.ts': "import { model, type Input } from '@scope/models/p/drawn';",
      'src/read.tsx': "import type { Output } from '../generated/models/p/read.js';",
      'src/nothing.ts': 'export const nothing = 1;',
      'src/deep/call.js': "await client.run('q/called', {}); // 'q/unused'",
      'other/unused.ts': "import { model } from '@scope/models/q/unused';",
    }),
  ).toEqual({
    files: 3,
    verdict: 'breaking',
    models: [
      ['p/drawn', ['Input', 'model'], ['src/draw.ts'], 2],
      ['p/read', ['Output'], ['src/read.tsx'], 1],
      ['q/called', [], ['src/deep/call.js'], 3],
    ],
  });
});

test('leaves out the changes of a side that is not used', () => {
  const source =
    "export type { Output } from '@scope/models/p/read'; type One = import('@scope/models/p/drawn').Output;";
  expect(select({ 'src/index.ts': source })).toMatchObject({
    verdict: 'compatible',
    models: [
      ['p/drawn', ['Output'], ['src/index.ts'], 1],
      ['p/read', ['Output'], ['src/index.ts'], 1],
    ],
  });
});

test('reports nothing where no changed model is used', () => {
  expect(select({ 'src/index.ts': "import { createClient } from '@scope/model-router';" })).toEqual({
    files: 0,
    verdict: 'none',
    models: [],
  });
});
