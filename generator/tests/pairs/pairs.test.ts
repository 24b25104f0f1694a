import { expect, test } from 'vitest';
import { listLines } from '../../src/diff/diff-report.ts';
import { createDice } from '../random-documents/dice.ts';
import { randomDocument } from '../random-documents/documents.ts';
import { ordinaryDocument } from './documents.ts';
import { handPairs } from './hand-pairs.ts';
import { type JudgedChange, judgeMutations, judgeWritten } from './pairs.ts';

const seed = 20_261_122;
const dice = createDice(seed);

const describeSide = ({ mutation, side, witness, changes }: JudgedChange): string => {
  const lines = listLines(changes.filter(({ direction }) => direction === side)).map(({ text }) => text);
  return `${mutation}, ${side}: ${witness ?? lines.join('; ')}`;
};

test(`reports every random change that breaks calls or code as breaking (seed ${seed})`, { timeout: 120_000 }, () => {
  // `npm run test:long` uses more documents.
  const ordinary = Array.from({ length: 8 }, () => ordinaryDocument(dice));
  const rare = Array.from({ length: 2 }, () => randomDocument('p/m', dice));
  const judged = judgeMutations([...ordinary, ...rare], 3, dice);
  const breaking = judged.filter(({ isCalledBreaking }) => isCalledBreaking);
  const missed = judged.filter(({ witness, isCalledBreaking }) => witness !== undefined && !isCalledBreaking);
  expect(missed.map(describeSide)).toEqual([]);
  // Random values don't prove every break, for example deep in unions.
  const proven = breaking.filter(({ witness }) => witness !== undefined);
  expect(proven.length / breaking.length).toBeGreaterThan(0.75);
});

test('gives handwritten pairs of schemas the verdict that the compiler and ajv prove', { timeout: 120_000 }, () => {
  // `npm run test:long` checks all pairs.
  const chosen = handPairs.filter((_, index) => index % 4 === seed % 4);
  const { judged, missed, alarms } = judgeWritten(chosen, dice);
  expect(judged.length).toBe(2 * chosen.length);
  expect({ missed: missed.map(describeSide), alarms: alarms.map(describeSide) }).toEqual({ missed: [], alarms: [] });
});
