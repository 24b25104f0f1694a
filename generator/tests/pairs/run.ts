import { parseArgs } from 'node:util';
import { readOwnCatalog } from '../../../specs/src/index.ts';
import { listLines } from '../../src/diff/diff-report.ts';
import { createDice } from '../random-documents/dice.ts';
import { randomDocument } from '../random-documents/documents.ts';
import { ordinaryDocument } from './documents.ts';
import { handPairs } from './hand-pairs.ts';
import { type JudgedChange, judgeMutations, judgeWritten } from './pairs.ts';

const random = String(Math.floor(Math.random() * 1e9));
const { values } = parseArgs({ options: { seed: { type: 'string', default: random } } });
const dice = createDice(Number(values.seed));
const ordinary = Array.from({ length: 300 }, () => ordinaryDocument(dice));
const rare = Array.from({ length: 100 }, () => randomDocument('p/m', dice));
const own = readOwnCatalog().map(({ document }) => document);
const documents = [...ordinary, ...rare, ...own];
const [batch, changesOfEach, shown] = [40, 6, 5];
const judged: JudgedChange[] = [];
for (let start = 0; start < documents.length; start += batch)
  judged.push(...judgeMutations(documents.slice(start, start + batch), changesOfEach, dice));

const written = judgeWritten(handPairs, dice);
process.stdout.write(
  `handwritten pairs, ${written.judged.length} inputs and outputs: ${written.missed.length} missed breaks, ` +
    `${written.alarms.length} false alarms, ${written.known.length} known false alarms\n`,
);
for (const one of [...written.missed, ...written.alarms]) print('handwritten', one);

const missed = judged.filter(({ witness, isCalledBreaking }) => witness !== undefined && !isCalledBreaking);
const called = judged.filter(({ isCalledBreaking }) => isCalledBreaking);
const unproven = called.filter(({ witness }) => witness === undefined);
process.stdout.write(
  `random changes (seed ${values.seed}), ${judged.length} inputs and outputs: ${judged.length - called.length} reported as not breaking, of which ${missed.length} break; ` +
    `${called.length} reported as breaking, of which ${unproven.length} are not proven\n`,
);
for (const one of missed.slice(0, shown)) print('missed break', one);
for (const one of unproven.slice(0, shown)) print('not proven', one);
// ADR 16 describes which breaks are not found.
const isWrong =
  written.missed.length + written.alarms.length > 0 || written.known.length > 0.03 * written.judged.length;
process.exitCode = isWrong || missed.length > judged.length / 1000 ? 1 : 0;

function print(what: string, { mutation, side, witness, changes, before, after }: JudgedChange): void {
  const lines = listLines(changes.filter(({ direction }) => direction === side));
  const texts = lines.map(({ verdict, text }) => `${verdict}: ${text}`);
  const documents = [before, after].map((document) => JSON.stringify(document));
  const parts = [`${what} (${side}, ${mutation})`, witness ?? 'no witness', ...texts, ...documents];
  process.stdout.write(`\n${parts.join('\n  ')}\n`);
}
