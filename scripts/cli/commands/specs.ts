import { Command } from 'commander';
import { type BuildFlags, type CheckFlags, withSpecFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';

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
    .action(async (flags: BuildFlags) => finish(await (await import('../actions/specs.ts')).buildSpecs(flags, io)));
  withSpecFlags(command.command('check'))
    .description('validate both documents, their examples and the requirements and assumptions they cite')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  $ switchyard specs check\n  $ switchyard specs check --brand Acme --json')
    .action(async (flags: CheckFlags) =>
      finish(await (await import('../actions/specs.ts')).checkSpecifications(flags, io)),
    );
  command.addHelpText(
    'after',
    '\nExamples:\n  $ switchyard specs build --brand Acme --out build/specs\n  $ switchyard specs check',
  );
  return command;
}
