import { Command } from 'commander';
import { addFlags } from './commands.ts';
import { commandFlags, type Flags } from './flags.ts';
import type { CommandIo } from './io.ts';

const conformExamples = `
Examples:
  $ switchyard conform                                   the configured address; without one, a sandbox for the run
  $ switchyard conform --target mock                     Prism with both documents
  $ switchyard conform --target sandbox --fault ID       see which rules fail
  $ switchyard conform --self-check                      check the rules against every fault and variant
  $ SWITCHYARD_API_KEY=… switchyard conform --router-url https://router.example
  $ switchyard conform --router-url https://router.example --plan      what a budget would be spent on
  $ switchyard conform --router-url https://router.example --budget 20 --min-checked 40
  $ switchyard conform --router-url URL --shard 1/4 --out part-1    one of four machines
  $ switchyard conform merge part-*                      one report of them
  $ switchyard conform --har traffic.har
  $ switchyard conform --router-url URL --hooks URL --hooks-credential env:STAGING_TOKEN
A live target gets no call that could start a run without --budget, and no more of them with it, whatever it does with them.
Credentials, jobs and models of a live target: conform.live in the configuration; certificates and headers for a gateway: http, as for
generate (docs/conform.md). Proxies: HTTPS_PROXY, NO_PROXY.
--har applies the rules over whole checks to the traffic of your own tests (docs/recording.md).
Test hooks (docs/test-hooks.md) add the rules that need them; they are never looked for unasked.
Reports in the folder of --out: report.html for people, result.json, junit.xml, the exchanges of each rule that failed (--verbose: of
all rules), and runs.jsonl with each call that may be billed, before it is sent. --report adds report.sarif, report.md, report.har or
badge.svg. In GitHub Actions also annotations and the summary of the step.
A team with findings starts today: --write-baseline accepts them for 30 days, in conform-waivers.yaml.
Deadlines are kept whatever a target sends: what is computed for longer is stopped, named, and left out.
switchyard explain NAME says what a rule, an outcome (observed) or the code of a finding (value-unexpected) means.
Exit codes: 0 conforms, 1 findings, 2 wrong usage, 3 target not reached or lost, 4 a required rule was not decided, or too few were (--min-checked).`;

export function conformCommand(io: CommandIo, finish: (code: number) => void): Command {
  const command = addFlags(new Command('conform'), commandFlags.conform)
    .description('check a target against the contract')
    .addHelpText('after', conformExamples)
    .action(async (flags: Flags<'conform'>) =>
      finish(await (await import('./actions/conform.ts')).runConform(flags, io)),
    );
  command
    .command('merge <folder...>')
    .description(
      'join the parts of a run with --shard into one report; takes --out, --report, --json, --compare, --waivers, --write-baseline and --min-checked',
    )
    .action(async (folders: string[], _: object, merge: Command) =>
      finish(await (await import('./actions/conform-merge.ts')).mergeParts(folders, merge.optsWithGlobals(), io)),
    );
  return command;
}

export function explainCommand(io: CommandIo, finish: (code: number) => void): Command {
  return addFlags(new Command('explain'), commandFlags.explain)
    .description('say what a rule, a requirement, a code or another word of the output means')
    .argument('<name>', 'id of a rule, requirement, fault or assumption; code of a diagnostic or a finding; an outcome')
    .addHelpText(
      'after',
      '\nExamples:\n  $ switchyard explain catalog.cursor.malformed-is-refused\n  $ switchyard explain MR-CAT-50\n  $ switchyard explain document-too-large\n  $ switchyard explain value-unexpected\n  $ switchyard explain observed',
    )
    .action(async (name: string, flags: Flags<'explain'>) =>
      finish((await import('./actions/explain.ts')).runExplain(name, flags, io)),
    );
}
