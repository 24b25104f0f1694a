import { Command, Option } from 'commander';
import {
  allowHttpFlag,
  type BuildFlags,
  type CheckFlags,
  type ConformFlags,
  type DiffFlags,
  duration,
  type GenerateFlags,
  httpAddress,
  layoutFlag,
  type MockFlags,
  modelChoice,
  packageVersion,
  routerFlag,
  type SandboxFlags,
  shardOf,
  someText,
  wholeNumber,
  withSpecFlags,
} from './flags.ts';
import type { CommandIo } from './io.ts';

// Each action is imported when its command runs: loading all of them takes longer than printing a help text.

export function specsCommand(io: CommandIo, finish: (code: number) => void): Command {
  const command = new Command('specs').description('build or check the two OpenAPI documents');
  withSpecFlags(command.command('build'))
    .description('write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON')
    .option('--out <dir>', 'folder to write to', '.switchyard/specs')
    .option('--no-default-responses', 'leave out default responses, for tools that check for undocumented statuses')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ switchyard specs build --brand Acme\n  $ switchyard specs build --overlay ours.overlay.yaml --out build/specs',
    )
    .action(async (flags: BuildFlags) => finish(await (await import('./actions/specs.ts')).buildSpecs(flags, io)));
  withSpecFlags(command.command('check'))
    .description('validate both documents, their examples and the requirements and assumptions they cite')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  $ switchyard specs check\n  $ switchyard specs check --brand Acme --json')
    .action(async (flags: CheckFlags) =>
      finish(await (await import('./actions/specs.ts')).checkSpecifications(flags, io)),
    );
  command.addHelpText(
    'after',
    '\nExamples:\n  $ switchyard specs build --brand Acme --out build/specs\n  $ switchyard specs check',
  );
  return command;
}

const generateExamples = `
Examples:
  $ SWITCHYARD_API_KEY=… switchyard generate --router-url https://router.example --out packages
  $ switchyard generate --only 'image-provider/*' --check
  $ switchyard generate --frozen --offline
A second run sends the entity tags it holds, and touches no file when nothing changed.`;

export function generateCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withGenerateFlags(new Command('generate'))
    .description('write typed packages for every model of a catalog, and for both APIs')
    .option('--out <dir>', 'folder of the packages (default: generated)')
    .option(
      '--package-version <version>',
      'version of the packages; auto: what the changes since the last release ask for (default: kept)',
      packageVersion,
    )
    .option('--check', 'write nothing; exit 1 when a write is due')
    .option('--strict', 'exit 1 when any model could not be generated')
    .addHelpText('after', generateExamples)
    .action(async (flags: GenerateFlags) =>
      finish(await (await import('./actions/generate.ts')).runGenerate(flags, io)),
    );
}

/** The flags that decide what is generated. */
function withGenerateFlags(command: Command): Command {
  return withSpecFlags(command)
    .addOption(routerFlag())
    .addOption(allowHttpFlag())
    .option('--cache <dir>', 'folder of the private document cache (default: .switchyard/cache)')
    .option(
      '--scope <@name>',
      'npm scope of the packages (default: that of the output, else of the nearest package.json)',
    )
    .addOption(layoutFlag())
    .option('--only <glob...>', 'only models whose id matches')
    .option('--concurrency <n>', 'requests at once (default: 8)', wholeNumber(1, 64))
    .option('--frozen', 'build exactly what switchyard.lock.json names, or fail')
    .option('--offline', 'send no request; read the cache alone')
    .option('--output-validators', 'also make validators of outputs')
    .option('--types-only', 'leave out validators and schemas as data')
    .option('--allow-empty', 'accept an empty catalog')
    .option('--json', 'print the report as JSON');
}

const diffExamples = `
Examples:
  $ switchyard diff packages.old packages
  $ switchyard diff packages --router-url https://router.example --format markdown
  $ switchyard diff packages --base origin/main
Without AFTER: what generate would write now. Exit code 1 when a change breaks users of the packages.`;

export function diffCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withGenerateFlags(new Command('diff'))
    .description('classify what an update of the packages changes for their users')
    .argument('[before]', 'output folder of generate')
    .argument('[after]', 'output folder to compare with')
    .option(
      '--base <revision>',
      'compare the folder, by default that of the configuration, with a git revision',
      someText,
    )
    .addOption(new Option('--format <form>', 'how to print it').choices(['text', 'markdown', 'json']).default('text'))
    .addHelpText('after', diffExamples)
    .action(async (before: string | undefined, after: string | undefined, flags: DiffFlags) =>
      finish(await (await import('./actions/diff.ts')).runDiff({ before, after }, flags, io)),
    );
}

const conformExamples = `
Examples:
  $ switchyard conform                                   the sandbox, started for the run
  $ switchyard conform --target mock                     Prism with both documents
  $ switchyard conform --target sandbox --fault ID       see which rules fail
  $ switchyard conform --self-check                      check the rules against every fault and variant
  $ SWITCHYARD_API_KEY=… switchyard conform --router-url https://router.example
  $ switchyard conform --router-url https://router.example --plan      what a budget would be spent on
  $ switchyard conform --router-url https://router.example --budget 20 --min-checked 60
  $ switchyard conform --shard 1/4 --out part-1 …        one of four machines
  $ switchyard conform merge part-*                      one report of them
  $ switchyard conform --record --router-url URL         Ctrl-C ends it, and reports
  $ switchyard conform --har traffic.har
  $ switchyard conform --router-url URL --hooks URL --hooks-credential env:STAGING_TOKEN
A live target gets no call that could start a run without --budget, and no more of them with it, whatever it does with them.
Credentials, jobs, models and headers of a live target: conform.live in the configuration (docs/conform.md).
--record and --har apply the rules over whole runs to the traffic of your own tests (docs/recording.md).
Test hooks (docs/test-hooks.md) add the rules that need them; they are never looked for unasked.
Reports in the folder of --out: report.html for people, result.json, junit.xml, report.sarif, report.md, report.har, badge.svg,
the exchanges of each rule, and runs.jsonl with each call that may be billed, before it is sent. In GitHub Actions also annotations
and the summary of the step.
A team with findings starts today: --write-baseline accepts them for 30 days, in conform-waivers.yaml.
Deadlines are kept whatever a target sends: what is computed for longer is stopped, named, and left out.
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
    .addOption(new Option('--hooks <url>', 'address of the test hooks of a staging build').argParser(httpAddress))
    .option('--hooks-credential <source>', 'where their bearer credential is: env:NAME', someText)
    .option('--record', 'check and record what any client sends through a proxy on loopback, until it is stopped')
    .option('--port <n>', 'port of that proxy; 0 takes a free one (default: 0)', wholeNumber(0, 65_535))
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
    .description('join the parts of a run with --shard into one report; --out and --json as above')
    .action(async (folders: string[], _: object, merge: Command) =>
      finish(await (await import('./actions/conform-merge.ts')).mergeParts(folders, merge.optsWithGlobals(), io)),
    );
  return command;
}

function withLiveFlags(command: Command): Command {
  return command
    .option(
      '--budget <n>',
      'how many runs a live target may be asked for in all; the models are in conform.live.models (default: 0)',
      wholeNumber(0, 10_000),
    )
    .option(
      '--plan',
      'print what would be sent to a live target that could start a run, and how many runs at most; send none',
    )
    .option('--min-checked <percent>', 'exit 4 when fewer of the rules were checked', wholeNumber(0, 100))
    .option('--max-rps <n>', 'the most requests per second (default: no limit)', wholeNumber(1, 1_000))
    .option('--verbose', 'print the names of the rules that were skipped')
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
    .description('say what a rule, a requirement or a diagnostic means')
    .argument('<name>', 'id of a rule or a requirement, or code of a diagnostic')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ switchyard explain catalog.cursor.malformed-is-refused\n  $ switchyard explain MR-CAT-50\n  $ switchyard explain document-too-large',
    )
    .action(async (name: string, flags: { json?: boolean }) =>
      finish((await import('./actions/explain.ts')).runExplain(name, flags, io)),
    );
}

const sandboxExamples = `
Examples:
  $ switchyard sandbox --port 4010
  $ switchyard sandbox --catalog ./my-catalog --brand Acme
  $ switchyard sandbox --fault run.rate-limit.no-retry-after
  $ switchyard sandbox --list-faults --json
  $ switchyard sandbox --db sandbox.sqlite --clock manual --log text
  $ curl -X POST -d '{"by":"25h"}' http://127.0.0.1:4010/__sandbox/clock/advance
A catalog folder holds catalog.json and models/<provider>/<model>/openapi.json.
SIGINT and SIGTERM stop it with exit code 0; 2 is wrong usage, 3 an unusable address or database.`;

export function sandboxCommand(io: CommandIo, finish: (code: number) => void): Command {
  return withSpecFlags(new Command('sandbox'))
    .description('serve both APIs locally, with state and without billing')
    .option('--port <n>', 'port; 0 takes a free one', wholeNumber(0, 65_535), 4010)
    .option('--host <name>', 'address to listen on', someText, '127.0.0.1')
    .option('--allow-remote', 'permit a host that other machines can reach')
    .option('--catalog <dir>', 'serve this catalog and the outcome models (default: the built-in one)', someText)
    .option('--no-outcome-models', 'with --catalog: serve that catalog alone')
    .option('--cors <origin...>', 'let pages of these origins call the APIs from a browser; * for all of them')
    .option('--seed <n>', 'seed of sampled outputs (default: 1)', wholeNumber(0, 2 ** 31))
    .option(
      '--db <file>',
      'keep requests, results and keys in this SQLite file over restarts (default: in memory)',
      someText,
    )
    .addOption(
      new Option('--clock <kind>', 'manual: time moves only when advanced').choices(['real', 'manual']).default('real'),
    )
    .addOption(
      new Option('--workflow-auth <kind>', 'who may call the workflow API')
        .choices(['accounts', 'static', 'optional', 'none'])
        .default('accounts'),
    )
    .addOption(
      new Option('--log <format>', 'one line per request on standard error')
        .choices(['off', 'text', 'json'])
        .default('off'),
    )
    .option('--fault <id...>', 'violate the contract by these faults')
    .option('--variant <id...>', 'behave in these allowed but unusual ways')
    .option('--list-faults', 'list the faults and exit')
    .option('--list-variants', 'list the variants and exit')
    .option('--json', 'print lists, address and credentials as JSON')
    .addHelpText('after', sandboxExamples)
    .action(async (flags: SandboxFlags) => finish(await (await import('./actions/sandbox.ts')).runSandbox(flags, io)));
}

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
    .action(async (flags: MockFlags) => finish(await (await import('./actions/mock.ts')).runMock(flags, io)));
}
