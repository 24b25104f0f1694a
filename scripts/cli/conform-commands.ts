import { Command, Option } from 'commander';
import {
  allowHttpFlag,
  type ConformFlags,
  duration,
  httpAddress,
  modelChoice,
  shardOf,
  someText,
  wholeNumber,
  withSpecFlags,
} from './flags.ts';
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
--har applies the rules over whole runs to the traffic of your own tests (docs/recording.md).
Test hooks (docs/test-hooks.md) add the rules that need them; they are never looked for unasked.
Reports in the folder of --out: report.html for people, result.json, junit.xml, the exchanges of each rule that failed (--verbose: of
all rules), and runs.jsonl with each call that may be billed, before it is sent. --report adds report.sarif, report.md, report.har or
badge.svg. In GitHub Actions also annotations and the summary of the step.
A team with findings starts today: --write-baseline accepts them for 30 days, in conform-waivers.yaml.
Deadlines are kept whatever a target sends: what is computed for longer is stopped, named, and left out.
switchyard explain NAME says what a rule, an outcome (observed) or the code of a finding (value-unexpected) means.
Exit codes: 0 conforms, 1 findings, 2 wrong usage, 3 target not reached or lost, 4 a required rule was not decided, or too few were (--min-checked).`;

export function conformCommand(io: CommandIo, finish: (code: number) => void): Command {
  const command = withAcceptanceFlags(withLiveFlags(withSpecFlags(new Command('conform'))))
    .description('check a target against the contract')
    .addOption(
      new Option('--target <kind>', 'kind of target (default: live with an address, else sandbox)').choices([
        'mock',
        'sandbox',
        'live',
      ]),
    )
    .addOption(
      new Option(
        '--router-url <url>',
        'base address of a running Model Router (env for a live target: SWITCHYARD_ROUTER_URL)',
      ).argParser(httpAddress),
    )
    .addOption(
      new Option(
        '--workflow-url <url>',
        'base address of a running Workflow Execution API (env: SWITCHYARD_WORKFLOW_URL)',
      ).argParser(httpAddress),
    )
    .addOption(allowHttpFlag())
    .option('--fault <id...>', 'faults of the sandbox started for the run')
    .option('--variant <id...>', 'variants of the sandbox started for the run')
    .option('--rule <glob...>', 'only rules whose id matches, with the rules they need')
    .option('--self-check', 'check the gate itself: all rules against a healthy sandbox, every fault and every variant')
    .option('--list-rules', 'list the rules with their sentences and exit')
    .option('--out <dir>', 'folder of the reports (default: .switchyard/conform)', someText)
    .option('--report <formats>', 'further reports, separated by commas: sarif, markdown, har, badge', someText)
    .addOption(new Option('--hooks <url>', 'address of the test hooks of a staging build').argParser(httpAddress))
    .option('--hooks-credential <source>', 'where their bearer credential is: env:NAME or command:PROGRAM', someText)
    .option('--har <file>', 'check recorded traffic (HAR 1.2); nothing is sent', someText)
    .option(
      '--shard <i/n>',
      'the i-th part of a run that n machines share; switchyard conform merge joins the parts',
      shardOf,
    )
    .option(
      '--models <which>',
      'apply rules on single models to all models, those of a glob, or so many (default: a sample)',
      modelChoice,
    )
    .option('--request-deadline <time>', 'longest wait for a response (default: 10s)', duration)
    .option('--rule-deadline <time>', 'longest time of a rule (default: 60s)', duration)
    .option('--run-deadline <time>', 'longest time of the whole run (default: 10m)', duration)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', conformExamples)
    .action(async (flags: ConformFlags) => finish(await (await import('./actions/conform.ts')).runConform(flags, io)));
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

function withLiveFlags(command: Command): Command {
  return command
    .option(
      '--budget <n>',
      'how many runs a live target may be asked for in all; conform.live.models must name their models (default: 0)',
      wholeNumber(0, 10_000),
    )
    .option(
      '--plan',
      'print what would be sent to a live target that could start a run, and how many runs at most; send none',
    )
    .option('--min-checked <percent>', 'exit 4 when fewer of the rules were checked', wholeNumber(0, 100))
    .option('--max-rps <n>', 'the most requests per second (default: no limit)', wholeNumber(1, 1_000))
    .option(
      '--verbose',
      'name each rule that was not checked, print all observations, and keep the exchanges of all rules',
    )
    .option(
      '--held-deadline <time>',
      'longest wait for the response to a run of a live target (default: 10m)',
      duration,
    );
}

function withAcceptanceFlags(command: Command): Command {
  return command
    .option('--waivers <file>', 'accepted findings (default: conform-waivers.yaml when present)', someText)
    .option('--write-baseline', 'accept every finding of this run for 30 days, in the file of --waivers')
    .option('--owner <name>', 'who answers for the findings of --write-baseline', someText)
    .option('--reason <text>', 'why they are accepted', someText)
    .option('--compare <file>', 'result.json of an earlier run: says what is new, fixed and lasting', someText);
}

export function explainCommand(io: CommandIo, finish: (code: number) => void): Command {
  return new Command('explain')
    .description('say what a rule, a requirement, a code or another word of the output means')
    .argument('<name>', 'id of a rule, requirement, fault or assumption; code of a diagnostic or a finding; an outcome')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ switchyard explain catalog.cursor.malformed-is-refused\n  $ switchyard explain MR-CAT-50\n  $ switchyard explain document-too-large\n  $ switchyard explain value-unexpected\n  $ switchyard explain observed',
    )
    .action(async (name: string, flags: { json?: boolean }) =>
      finish((await import('./actions/explain.ts')).runExplain(name, flags, io)),
    );
}
