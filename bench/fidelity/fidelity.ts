import { join } from 'node:path';
import { createDice } from '../../generator/tests/random-documents/dice.ts';
import { randomDocument } from '../../generator/tests/random-documents/documents.ts';
import { type BenchDocument, makeDocument, readBenchDocuments } from '../documents.ts';
import { progress, withWorkingFolder } from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import { percent, type Table } from '../table.ts';
import { type Case, makeCases } from './cases.ts';
import { checkTypes } from './check-types.ts';
import { listSubjects, type Subject } from './subject.ts';
import { type Tool, tools } from './tools.ts';

type CaseSet = { subject: Subject; cases: readonly Case[] };
type Difference = { set: CaseSet; oneCase: Case; message: string };
type Tally = { cases: number; lost: number; differences: Difference[]; failed: string[]; problems: string[] };

/** Checks the same values with a JSON Schema validator and with the TypeScript types, and counts different results. */
export async function measureFidelity(options: BenchOptions): Promise<Table[]> {
  const dice = createDice(options.seed);
  const random = Array.from({ length: options.random }, (_, index): BenchDocument => {
    const id = `random-provider/made-${index}`;
    return makeDocument(id, 'unknown', randomDocument(id, dice));
  });
  const chosen = tools.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const tables = [await compareTools('documents', chosen, readBenchDocuments(options), options)];
  // Random documents have many schemas that real ones don't have. A comparison with other tools would not be fair.
  if (random.length > 0) tables.push(await compareTools('random documents', tools.slice(0, 1), random, options));
  return tables;
}

async function compareTools(
  what: string,
  chosen: readonly Tool[],
  documents: readonly BenchDocument[],
  options: BenchOptions,
): Promise<Table> {
  const sets = documents
    .flatMap(listSubjects)
    .map((subject) => ({ subject, cases: makeCases(subject, options.cases) }));
  const count = sets.reduce((sum, { cases }) => sum + cases.length, 0);
  progress(`${count} sample values of ${documents.length} ${what}`);
  const rows = await withWorkingFolder(options, async (folder) => {
    const tableRows: (string | number)[][] = [];
    for (const tool of chosen) {
      progress(tool.name);
      const tally = await checkTool(tool, { documents, sets, folder: join(folder, tool.name.replace(/\W+/g, '-')) });
      showDifferences(tally, options.show);
      const accepts = tally.differences.filter(({ oneCase }) => !oneCase.accepts).length;
      const correct = tally.cases - tally.differences.length;
      tableRows.push([
        ...[tool.name, percent(correct, tally.cases), accepts, tally.differences.length - accepts],
        ...[tally.lost, tally.failed.length],
      ]);
    }
    return tableRows;
  });
  const head = ['types of', 'right', 'wrongly accepted', 'wrongly rejected', 'not checked', 'documents failed'];
  return { title: `${count} sample values of ${documents.length} ${what}`, head, rows };
}

type Work = { documents: readonly BenchDocument[]; sets: readonly CaseSet[]; folder: string };

async function checkTool(tool: Tool, { documents, sets, folder }: Work): Promise<Tally> {
  const types = await tool.make(documents, join(folder, 'types'));
  const printed = sets.filter(({ subject }) => !types.failed.has(subject.model));
  const files = printed.map(({ subject, cases }) => ({ declaration: types.declare(subject), cases }));
  const rejections = await checkTypes(files, folder, types.paths);
  const tally: Tally = { cases: 0, lost: 0, differences: [], failed: [...types.failed.values()], problems: [] };
  for (const { subject, cases } of sets) if (types.failed.has(subject.model)) tally.lost += cases.length;
  for (const [index, set] of printed.entries()) {
    const rejected = rejections[index];
    const problem = rejected?.get(-1);
    if (problem !== undefined) {
      tally.problems.push(`${set.subject.model} ${set.subject.direction}: ${problem}`);
      tally.lost += set.cases.length;
      continue;
    }
    for (const [at, oneCase] of set.cases.entries()) {
      const message = rejected?.get(at);
      // TypeScript rejects a valid value that shares no key with the type. This isn't a fault of the types.
      if (oneCase.accepts && message?.includes('no properties in common') === true) continue;
      tally.cases++;
      if (oneCase.accepts !== (message === undefined)) tally.differences.push({ set, oneCase, message: message ?? '' });
    }
  }
  return tally;
}

const longest = 2000;

/** Prints the first differences in full: the schema, and the values for which the results differ. */
function showDifferences({ differences, problems, failed }: Tally, atMost: number): void {
  for (const text of [...failed, ...problems].slice(0, atMost)) progress(text.slice(0, longest));
  const bySet = [...Map.groupBy(differences, ({ set }) => set)].slice(0, atMost);
  for (const [{ subject }, list] of bySet) {
    progress(`${subject.model} ${subject.direction}: ${JSON.stringify(subject.schema).slice(0, longest)}`);
    for (const { oneCase, message } of list.slice(0, 4)) {
      const wrongly = oneCase.accepts ? 'rejected' : 'accepted';
      const value = JSON.stringify(oneCase.value).slice(0, longest);
      progress(`  wrongly ${wrongly}, ${oneCase.kind} at ${oneCase.pointer || '/'} (${oneCase.form}): ${value}`);
      if (message !== '') progress(`    ${message.slice(-500)}`);
    }
  }
}
