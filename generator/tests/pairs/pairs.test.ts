import { expect, test } from 'vitest';
import { describeChange } from '../../src/diff/change.ts';
import { createDice } from '../random-documents/dice.ts';
import { randomDocument } from '../random-documents/documents.ts';
import { compileConsumers } from './consumers.ts';
import { documentPairs } from './document-pairs.ts';
import { ordinaryDocument } from './documents.ts';
import { handPairs } from './hand-pairs.ts';
import { type Judged, judgeMutations, judgeWritten } from './pairs.ts';
import { rarePairs } from './rare-pairs.ts';

const seed = 20_261_122;
const dice = createDice(seed);

const describeSide = ({ mutation, side, witness, changes }: Judged): string => {
  const lines = changes.filter(({ direction }) => direction === side).map(describeChange);
  return `${mutation}, ${side}: ${witness ?? lines.join('; ')}`;
};

test(`reports every change that breaks a consumer as breaking (seed ${seed})`, { timeout: 120_000 }, () => {
  // `npm run test:long` uses more documents.
  const ordinary = Array.from({ length: 8 }, () => ordinaryDocument(dice));
  const rare = Array.from({ length: 2 }, () => randomDocument('p/m', dice));
  const judged = judgeMutations([...ordinary, ...rare], 3, dice);
  const called = judged.filter(({ isCalledBreaking }) => isCalledBreaking);
  const missed = judged.filter(({ witness, isCalledBreaking }) => witness !== undefined && !isCalledBreaking);
  expect(missed.map(describeSide)).toEqual([]);
  // Random values do not reach some cases, for example deep in unions.
  const shown = called.filter(({ witness }) => witness !== undefined);
  expect(shown.length / called.length).toBeGreaterThan(0.75);
});

test('gives handwritten pairs the same verdict as the compiler and ajv', { timeout: 120_000 }, () => {
  // `npm run test:long` checks all pairs.
  const isChosen = (_: unknown, index: number): boolean => index % 12 === seed % 12;
  const { judged, missed, alarms } = judgeWritten(
    [...handPairs, ...rarePairs.filter(isChosen)],
    documentPairs.filter(isChosen),
    dice,
  );
  expect(judged.length).toBeGreaterThan(2 * handPairs.length);
  expect({ missed: missed.map(describeSide), alarms: alarms.map(describeSide) }).toEqual({ missed: [], alarms: [] });
});

test('a consumer breaks if a name, a member or a value that it uses is removed', () => {
  const types = (text: string): string => `\n// Types\n${text}\n// Values\n`;
  const before = types(
    'export type Input = { a?: "x" | "y"; b?: string };\nexport type Output = { c: { d: string }[] };',
  );
  const compile = (after: string) =>
    compileConsumers([
      {
        before,
        after: types(after),
        sent: [],
        read: [],
        reads: ['.c!', '.c![0]!.d!'],
        uses: [],
        members: [],
        writes: [],
        programs: [],
        inputs: [{ a: 'x', b: '' }, { a: 'y' }],
      },
    ])[0];
  expect(
    compile('export type Input = { a?: "x" | "y"; b?: string };\nexport type Output = { c: { d: string }[] };'),
  ).toEqual({ input: undefined, output: undefined });
  expect(
    compile('export type Input = { a?: "x"; b?: string };\nexport type Output = { c: { d: string }[] };')?.input,
  ).toContain('"y"');
  expect(
    compile('export type Input = { a?: "x" | "y" };\nexport type Output = { c: { d: string }[] };')?.input,
  ).toContain('"b"');
  expect(compile('export type Input = { a?: string; b?: string };\nexport type Output = { c: {}[] };')).toMatchObject({
    input: undefined,
    output: expect.stringContaining('d'),
  });
});
