import { expect, test } from 'vitest';
import { diagnosticTexts } from '../diagnostic-texts.ts';
import type { DiagnosticCode } from '../diagnostics.ts';
import { type GenerationReport, renderReport } from './report.ts';

const report: GenerationReport = {
  models: { listed: 4, selected: 3, generated: 2, failed: 1, unread: 0 },
  requests: { pages: 1, asked: 3, notModified: 2, fetched: 1 },
  files: { created: 1, replaced: 2, removed: 3, kept: 4 },
  refused: [],
  diagnostics: [
    { severity: 'error', code: 'document-not-json', model: 'p/a', pointer: '', message: 'no JSON' },
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => ({
      severity: 'warning' as const,
      code: 'reference-dangling' as const,
      model: `p/${number}`,
      pointer: '/x',
      message: 'leads\u001b[31m nowhere',
    })),
  ],
  changed: true,
};

test('prints counts first, the explanation of each code, the first five of equal warnings, and no control characters', () => {
  expect(
    renderReport(report),
  ).toBe(`models    4 listed, 3 selected, 2 generated, 1 failed; failed models keep their last good output
requests  3 documents requested: 2 unchanged, 1 fetched; catalog pages: 1
files     1 created, 2 replaced, 3 removed, 4 kept, 0 rejected
output    changed

error  document-not-json  (1)
  p/a: no JSON
  help: ${diagnosticTexts['document-not-json']}

warning  reference-dangling  (7)
  p/1 /x: leads [31m nowhere
  p/2 /x: leads [31m nowhere
  p/3 /x: leads [31m nowhere
  p/4 /x: leads [31m nowhere
  p/5 /x: leads [31m nowhere
  … and 2 more
  help: ${diagnosticTexts['reference-dangling']}
`);
});

test('reports an unchanged output if every file that it would have replaced was edited by hand', () => {
  const files = { created: 0, replaced: 0, removed: 0, kept: 4 };
  const text = renderReport({ ...report, files, refused: ['a.ts'], changed: true });
  expect(text).toContain(
    'output    unchanged; the rejected files listed below were not overwritten and differ from the generated ones\n',
  );
});

test('reports what generate would change if the report is of a check', () => {
  const differences = { models: [], files: [] };
  const lines = (changed: boolean) =>
    renderReport({ ...report, changed, differences })
      .split('\n')
      .slice(2, 4);
  expect(lines(true)).toEqual([
    'files     would create 1, replace 2, remove 3, keep 4, reject 0',
    'output    would change; nothing was written',
  ]);
  expect(lines(false)[1]).toBe('output    unchanged');
});

test('prints at most 200 diagnostics, errors first, and counts the other ones', () => {
  const many = (severity: 'error' | 'warning', code: DiagnosticCode, count: number) =>
    Array.from({ length: count }, (_, index) => ({ severity, code, model: `p/${index}`, message: 'is wrong' }));
  const diagnostics = [
    ...many('warning', 'type-unknown', 9),
    ...many('error', 'document-not-json', 150),
    ...many('error', 'not-ours', 2_000),
  ];
  const lines = renderReport({ ...report, diagnostics }).split('\n');
  expect(lines.filter((line) => line.endsWith('is wrong'))).toHaveLength(200);
  expect(lines.filter((line) => line.includes('… and'))).toEqual(['  … and 1950 more', '  … and 9 more']);
});
