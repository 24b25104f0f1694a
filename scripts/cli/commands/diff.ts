import { Command, Option } from 'commander';
import type { DiffFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { withGenerateFlags } from './generate.ts';

const examples = `
Examples:
  $ switchyard diff packages.old packages
  $ switchyard diff packages --router-url https://router.example --format markdown
Without AFTER: what generate would write now. Exit code 1 when a change breaks users of the packages.`;

export function diffCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withGenerateFlags(new Command('diff'))
    .description('classify what an update of the packages changes for their users')
    .argument('<before>', 'output folder of generate')
    .argument('[after]', 'output folder to compare with')
    .addOption(new Option('--format <form>', 'how to print it').choices(['text', 'markdown', 'json']).default('text'))
    .addHelpText('after', examples)
    .action(async (before: string, after: string | undefined, flags: DiffFlags) =>
      finish(await (await import('../actions/diff.ts')).runDiff({ before, after }, flags, io)),
    );
}
