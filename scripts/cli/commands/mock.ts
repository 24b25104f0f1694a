import { Command } from 'commander';
import { type MockFlags, wholeNumber, withSpecFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';

export function mockCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withSpecFlags(new Command('mock'))
    .description('serve the examples of both documents with Prism, without state')
    .option(
      '--port <n>',
      'port of the Model Router; the Workflow Execution API takes the next one; 0 takes free ports',
      wholeNumber(0, 65_534),
      4020,
    )
    .option('--json', 'print the addresses as JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  $ switchyard mock\n  $ switchyard mock --brand Acme --port 0 --json\n  $ curl -H 'X-API-Key: any' -H 'Prefer: code=404' http://127.0.0.1:4020/v2/models/image-provider/any",
    )
    .action(async (flags: MockFlags) => finish(await (await import('../actions/mock.ts')).runMock(flags, io)));
}
