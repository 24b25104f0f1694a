import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';
import { countDecisions } from '../record/conform-to-folder.ts';
import type { RunRecord } from '../wire/call.ts';
import { writeReports } from './render-files.ts';

const root = mkdtempSync(join(tmpdir(), 'report-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('creates the report folder with its parents and replaces its files', async () => {
  const folder = join(root, 'a', 'b');
  for (const text of ['one', 'two']) await writeReports(folder, { 'result.json': text });
  expect(readdirSync(folder)).toEqual(['.gitignore', 'result.json']);
  expect(readFileSync(join(folder, 'result.json'), 'utf8')).toBe('two');
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
});

test('does not add a .gitignore to an existing report folder', async () => {
  const folder = join(root, 'own');
  mkdirSync(folder);
  await writeReports(folder, { 'result.json': 'x' });
  expect(readdirSync(folder)).toEqual(['result.json']);
});

test('replaces a subfolder of the report folder completely', async () => {
  const folder = join(root, 'below');
  const below = ['exchanges'];
  await writeReports(folder, { 'exchanges/a.json': 'one', 'exchanges/b.json': 'one', 'result.json': 'one' }, below);
  await writeReports(folder, { 'exchanges/a.json': 'two', 'result.json': 'two' }, below);
  expect(readdirSync(folder).toSorted()).toEqual(['.gitignore', 'exchanges', 'result.json']);
  expect(readdirSync(join(folder, 'exchanges'))).toEqual(['a.json']);
  expect(readFileSync(join(folder, 'exchanges', 'a.json'), 'utf8')).toBe('two');
  await writeReports(folder, { 'result.json': 'three' }, below);
  expect(readdirSync(folder).toSorted()).toEqual(['.gitignore', 'result.json']);
});

test("rejects a report folder that isn't writable", async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  await expect(writeReports(file, {})).rejects.toThrow(`reports cannot be written to ${file}`);
  await expect(writeReports(join(file, 'below'), {})).rejects.toThrow('ENOTDIR');
  await expect(writeReports('/proc/none/below', {})).rejects.toThrow('ENOENT');
});

test('leaves no partial reports if a file cannot be replaced', async () => {
  const folder = join(root, 'blocked');
  mkdirSync(join(folder, 'result.json'), { recursive: true });
  await expect(writeReports(folder, { 'result.json': 'x' })).rejects.toThrow('reports cannot be written');
  expect(readdirSync(folder)).toEqual(['result.json']);
});

test('the number of used runs does not include calls that were rejected or replayed', () => {
  const seen: number[] = [];
  const input = { target: { kind: 'live' } as const, specs: buildEffectiveSpecs(defaultSpecSettings) };
  const onEntry = countDecisions(input, [], ({ runs }) => seen.push(runs));
  const record = { ruleId: 'a.one', step: 'run', model: 'a/b', route: 'run', expectsRejection: true } as const;
  for (const [index, state] of [
    [0, 'reserved'],
    [0, 'spent'],
    [1, 'reserved'],
    [1, 'returned'],
  ] as const satisfies (readonly [number, RunRecord['state']])[]) {
    onEntry({ kind: 'run', index, record: { ...record, state } });
    onEntry({ kind: 'started', at: 'a.one' });
  }
  expect(seen).toEqual([1, 1, 2, 1]);
});
