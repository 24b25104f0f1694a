import { resolve } from 'node:path';
import { Command } from 'commander';
import { checkSpecs, type SpecsCheckReport, writeEffectiveSpecs } from '../../../specs/src/index.ts';
import { loadConfig } from '../config-file.ts';
import type { CommandIo } from '../io.ts';
import { effectiveSpecs, resolveSpecSettings, type SpecFlags, withSpecFlags } from '../spec-settings.ts';

type BuildFlags = SpecFlags & { out: string; json?: boolean };
type CheckFlags = SpecFlags & { json?: boolean };

export function specsCommand(io: CommandIo, finish: (code: number) => void): Command {
  const command = new Command('specs').description('build or check the two OpenAPI documents');
  withSpecFlags(command.command('build'))
    .description('write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON')
    .option('--out <dir>', 'folder to write to', '.switchyard/specs')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ switchyard specs build --brand Acme\n  $ switchyard specs build --overlay ours.overlay.yaml --out build/specs',
    )
    .action(async (flags: BuildFlags) => finish(await build(flags, io)));
  withSpecFlags(command.command('check'))
    .description('validate both documents, their examples, and every requirement and assumption they cite')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  $ switchyard specs check\n  $ switchyard specs check --brand Acme --json')
    .action(async (flags: CheckFlags) => finish(await check(flags, io)));
  command.addHelpText(
    'after',
    '\nExamples:\n  $ switchyard specs build --brand Acme --out build/specs\n  $ switchyard specs check',
  );
  return command;
}

async function build(flags: BuildFlags, io: CommandIo): Promise<number> {
  const loaded = await loadConfig(io.workingFolder, flags.config);
  const specs = await effectiveSpecs(resolveSpecSettings(flags, loaded, io.workingFolder));
  const written = await writeEffectiveSpecs(specs, resolve(io.workingFolder, flags.out));
  io.out(flags.json ? `${JSON.stringify({ written })}\n` : written.map((file) => `wrote ${file}\n`).join(''));
  return 0;
}

async function check(flags: CheckFlags, io: CommandIo): Promise<number> {
  const loaded = await loadConfig(io.workingFolder, flags.config);
  const settings = resolveSpecSettings(flags, loaded, io.workingFolder);
  await effectiveSpecs(settings);
  const report = await checkSpecs(settings);
  io.out(flags.json ? `${JSON.stringify(report)}\n` : renderCheck(report, io));
  return report.problems.length === 0 ? 0 : 1;
}

function renderCheck(report: SpecsCheckReport, io: CommandIo): string {
  const problems = report.problems.map(
    ({ check, document, place, message }) =>
      `${io.style('bad', 'problem')} ${document}${place ? ` ${place}` : ''}: ${message} [${check}]\n`,
  );
  const counts = Object.entries(report.counts).map(([name, count]) => `${count} ${name}`);
  const verdict =
    report.problems.length === 0
      ? io.style('good', 'specifications are sound')
      : io.style('bad', `${report.problems.length} problems`);
  return `${problems.join('')}${verdict}: ${counts.join(', ')}\n`;
}
