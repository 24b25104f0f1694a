import { Command, Option } from 'commander';
import type { DiffFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { withGenerateFlags } from './generate.ts';

const examples = `
Examples:
  $ switchyard diff packages.old packages
  $ switchyard diff packages --router-url https://router.example --format markdown
Without AFTER: what generate would write now. Exit code 1 when anything breaks a user of the packages.`;

export function diffCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withGenerateFlags(new Command('diff'))
    .description('say what an update of the packages means to their users')
    .argument('<before>', 'output folder of generate')
    .argument('[after]', 'another one')
    .addOption(new Option('--format <form>', 'how to print it').choices(['text', 'markdown', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (before: string, after: string | undefined, flags: DiffFlags) =>
      finish(await (await import('../actions/diff.ts')).runDiff({ before, after }, flags, io)),
    );
}
