import { join, resolve } from 'node:path';
import { checkSpecs, type SpecsCheckReport, writeEffectiveSpecs } from '../../../specs/src/index.ts';
import type { Flags } from '../commands.ts';
import type { CommandIo, CommandResult } from '../io.ts';
import { loadSettings } from '../load-settings.ts';

export async function buildSpecs(flags: Flags<'specs build'>, io: CommandIo): Promise<CommandResult> {
  const { specs, folder } = await loadSettings(flags, io);
  const outDir = flags.out === undefined ? join(folder, '.switchyard/specs') : resolve(io.workingFolder, flags.out);
  const written = writeEffectiveSpecs(specs, outDir);
  return { report: { written }, code: 0, text: () => written.map((file) => `wrote ${file}\n`).join('') };
}

export async function checkSpecifications(flags: Flags<'specs check'>, io: CommandIo): Promise<CommandResult> {
  const report = await checkSpecs((await loadSettings(flags, io)).specs);
  return { report, code: report.problems.length === 0 ? 0 : 1, text: () => renderCheck(report, io) };
}

function renderCheck(report: SpecsCheckReport, io: CommandIo): string {
  const problems = report.problems.map(
    ({ check, document, place, message }) =>
      `${io.style('bad', 'problem')} ${document}${place ? ` ${place}` : ''}: ${message} [${check}]\n`,
  );
  const counts = Object.entries(report.counts).map(([name, count]) => `${count} ${name}`);
  const conclusion =
    report.problems.length === 0
      ? io.style('good', 'specifications are valid')
      : io.style('bad', `${report.problems.length} problems`);
  return `${problems.join('')}${conclusion}: ${counts.join(', ')}\n`;
}
