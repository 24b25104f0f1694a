import { expect, test } from 'vitest';
import { createDiagnosticList, cut } from './diagnostics.ts';

test('keeps a limited number of diagnostics per severity and counts the rest', () => {
  const list = createDiagnosticList(2, 'p/m');
  const warning = { severity: 'warning', code: 'odd', model: 'p/m', message: 'is odd' } as const;
  for (let count = 0; count < 1_000; count++) list.add(warning);
  list.add({ ...warning, severity: 'error' });
  const omitted = '998 more diagnostics of severity warning are not listed';
  expect(list.all()).toEqual([
    ...[warning, warning, { ...warning, severity: 'error' }],
    { severity: 'warning', code: 'diagnostics-omitted', model: 'p/m', message: omitted },
  ]);
});

test('shortens long texts from documents', () => {
  const list = createDiagnosticList(2);
  list.add({ severity: 'note', code: 'long', pointer: `/${'x'.repeat(9_000)}`, message: 'y'.repeat(9_000) });
  const [one] = list.all();
  expect([one?.pointer?.length, one?.message.length]).toEqual([1_001, 1_001]);
});

test('never cuts a character in half', () => {
  expect(cut(`ab${'😀'.repeat(9)}`, 3).isWellFormed()).toBe(true);
});
