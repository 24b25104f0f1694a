import { expect, test } from 'vitest';
import { describeChange } from '../../src/diff/describe-schema.ts';
import { createDice } from '../random-documents/dice.ts';
import { randomDocument } from '../random-documents/documents.ts';
import { compileConsumers } from './consumers.ts';
import { documentPairs } from './document-pairs.ts';
import { ordinaryDocument } from './documents.ts';
import { handPairs } from './hand-pairs.ts';
import { type Judged, judgeDocumentPairs, judgeHandPairs, judgeMutations } from './pairs.ts';
import { rarePairs, undecided } from './rare-pairs.ts';

const seed = 20_261_122;
const dice = createDice(seed);

const describeSide = ({ mutation, side, witness, changes }: Judged): string => {
  const lines = changes.filter(({ direction }) => direction === side).map((change) => describeChange(change, String));
  return `${mutation}, ${side}: ${witness ?? lines.join('; ')}`;
};

test(`no change that breaks a consumer is called less than breaking (seed ${seed})`, { timeout: 120_000 }, () => {
  const ordinary = Array.from({ length: 20 }, () => ordinaryDocument(dice));
  const rare = Array.from({ length: 5 }, () => randomDocument('p/m', dice));
  const judged = judgeMutations([...ordinary, ...rare], 3, dice);
  const called = judged.filter(({ isCalledBreaking }) => isCalledBreaking);
  const missed = judged.filter(({ witness, isCalledBreaking }) => witness !== undefined && !isCalledBreaking);
  expect(missed.map(describeSide)).toEqual([]);
  // Some witnesses are out of reach of random values, deep in unions for example.
  const shown = called.filter(({ witness }) => witness !== undefined);
  expect(shown.length / called.length).toBeGreaterThan(0.75);
});

test('pairs that were written by hand are called what compiler and ajv show', { timeout: 120_000 }, () => {
  const pairs = [...handPairs, ...rarePairs];
  const judged = [...judgeHandPairs(pairs, dice), ...judgeDocumentPairs(documentPairs, dice)];
  expect(judged.length).toBe(2 * (pairs.length + documentPairs.length));
  const missed = judged.filter(({ witness, isCalledBreaking }) => witness !== undefined && !isCalledBreaking);
  const alarms = judged.filter(({ witness, isCalledBreaking }) => witness === undefined && isCalledBreaking);
  const known = new Set(Object.values(undecided).flat());
  const unknown = alarms.filter(({ mutation, side }) => !known.has(`${mutation}, ${side}`));
  expect({ missed: missed.map(describeSide), alarms: unknown.map(describeSide) }).toEqual({ missed: [], alarms: [] });
  // Of those that came with the documents and the rare schemas.
  expect(alarms.length).toBeLessThanOrEqual(0.03 * (rarePairs.length + documentPairs.length));
});

test('a consumer breaks where a name, a member or a value that it uses is gone', () => {
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
