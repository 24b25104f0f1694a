import { Command, Option } from 'commander';
import { type ConformFlags, httpAddress, someText, withSpecFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';

const examples = `
Examples:
  $ switchyard conform                                   the sandbox, started for the run
  $ switchyard conform --target mock                     Prism, both documents
  $ switchyard conform --target sandbox --fault ID       see a rule bite
  $ switchyard conform --self-check                      see every rule bite, and none bite falsely
  $ SWITCHYARD_API_KEY=… switchyard conform --router-url https://router.example
A real address gets rules that cost nothing: none that runs or queues a model.
Reports: result.json and junit.xml in the folder of --out.
Deadlines: 10 seconds for an answer, 60 for a rule, 10 minutes for a run.
Exit codes: 0 conforms, 1 findings, 2 wrong usage, 3 not reached or given up, 4 a required rule said nothing.`;

export function conformCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withSpecFlags(new Command('conform'))
    .description('judge a target against the contract')
    .addOption(
      new Option('--target <kind>', 'what is judged (default: live with an address, else sandbox)').choices([
        'mock',
        'sandbox',
        'live',
      ]),
    )
    .addOption(
      new Option(
        '--router-url <url>',
        'base address of a Model Router that runs (env for a live target: SWITCHYARD_ROUTER_URL)',
      ).argParser(httpAddress),
    )
    .addOption(
      new Option(
        '--workflow-url <url>',
        'base address of a Workflow Execution API that runs (env: SWITCHYARD_WORKFLOW_URL)',
      ).argParser(httpAddress),
    )
    .option('--fault <id...>', 'faults of the sandbox started for the run')
    .option('--variant <id...>', 'variants of the sandbox started for the run')
    .option('--rule <glob...>', 'only rules whose id matches, with what they need')
    .option('--self-check', 'judge the gate itself: every rule on the healthy sandbox, every fault, every variant')
    .option('--list-rules', 'list the rules and exit')
    .option('--out <dir>', 'folder of the reports (default: .switchyard/conform)', someText)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', examples)
    .action(async (flags: ConformFlags) => finish(await (await import('../actions/conform.ts')).runConform(flags, io)));
}
