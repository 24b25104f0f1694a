import { Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from './errors.ts';
import {
  commandFlags,
  type DiffFlags,
  type DocsFlags,
  type Flags,
  type GenerateFlags,
  outputFlags,
  redocPackage,
  sourceFlags,
} from './flags.ts';
import type { CommandIo } from './io.ts';
import { type AnySetting, flagName, optionName, valueOfText } from './kinds.ts';

/** Adds the flags of these settings, in their order. Where nothing is stated, commander leaves them out. */
export function addFlags(command: Command, settings: Readonly<Record<string, AnySetting>>): Command {
  for (const [name, setting] of Object.entries(settings)) command.addOption(makeFlag(name, setting));
  return command;
}

function makeFlag(name: string, setting: AnySetting): Option {
  const { kind } = setting;
  const option = new Option(flagText(name, setting), describe(setting));
  if ('enum' in kind.schema) return option.choices(kind.schema.enum.map(String));
  // Commander collects the words of a list itself.
  const takesText = (option.required || option.optional) && !option.variadic;
  return takesText ? option.argParser((text) => parse(setting, text)) : option;
}

/** A flag with its argument, such as `--out <dir>`. */
export function flagText(name: string, setting: AnySetting): string {
  const { kind, argument = kind.argument } = setting;
  const flag = flagName(optionName(name, setting));
  return `${kind.isTurnedOff ? flag.replace('--', '--no-') : flag}${argument === undefined ? '' : ` ${argument}`}`;
}

/** Says what holds where nothing is set; undefined where that goes without saying. */
export function defaultText({ default: fallback, otherwise }: AnySetting): string | undefined {
  const isShown = typeof fallback === 'string' || typeof fallback === 'number';
  return otherwise ?? (isShown ? String(fallback) : undefined);
}

function describe(setting: AnySetting): string {
  const [words, { says, variable }] = [defaultText(setting), setting];
  return `${says}${words === undefined ? '' : ` (default: ${words})`}${variable === undefined ? '' : ` (env: ${variable})`}`;
}

function parse({ kind }: AnySetting, text: string): unknown {
  try {
    return valueOfText(kind, text);
  } catch (error) {
    throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error;
  }
}

// Each action is imported when its command runs: loading all of them takes longer than printing a help text.

export function specsCommand(io: CommandIo, finish: (code: number) => void): Command {
  const command = new Command('specs').description('build or check the two OpenAPI documents');
  addFlags(command.command('build'), commandFlags.specsBuild)
    .description('write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  $ switchyard specs build --brand Acme\n  $ switchyard specs build --overlay ours.overlay.yaml --out build/specs',
    )
    .action(async (flags: Flags<'specsBuild'>) =>
      finish(await (await import('./actions/specs.ts')).buildSpecs(flags, io)),
    );
  addFlags(command.command('check'), commandFlags.specsCheck)
    .description('validate both documents, their examples and the requirements and assumptions they cite')
    .addHelpText('after', '\nExamples:\n  $ switchyard specs check\n  $ switchyard specs check --brand Acme --json')
    .action(async (flags: Flags<'specsCheck'>) =>
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
  $ switchyard generate --watch 300
A second generation sends the entity tags it holds, and touches no file when nothing changed.`;

export function generateCommand(io: CommandIo, finish: (code: number) => void): Command {
  const command = new Command('generate').description(
    'write typed packages for every model of a catalog, and for both APIs',
  );
  addFlags(command, commandFlags.generate);
  const watch = command.options.find(({ long }) => long === '--watch');
  watch?.preset(60).conflicts(['check', 'frozen']);
  return withGenerateFlags(command)
    .addHelpText('after', generateExamples)
    .action(async (flags: GenerateFlags) =>
      finish(
        flags.watch === undefined
          ? await (await import('./actions/generate.ts')).runGenerate(flags, io)
          : await (await import('./actions/watch.ts')).runWatch(flags, io),
      ),
    );
}

/** Adds the flags that decide what is generated, below those of the command itself. */
function withGenerateFlags(command: Command): Command {
  command.helpOption('-h, --help', 'display help for command').optionsGroup('Source:');
  addFlags(command, sourceFlags).optionsGroup('What is generated:');
  return addFlags(command, outputFlags);
}

const diffExamples = `
Examples:
  $ switchyard diff
  $ switchyard diff packages.old packages
  $ switchyard diff packages --router-url https://router.example --format markdown
  $ switchyard diff packages --base origin/main
Without BEFORE: the folder of the configuration. Without AFTER: what generate would write now. Exit code 1 when a change breaks users of the packages.`;

export function diffCommand(io: CommandIo, finish: (code: number) => void): Command {
  const command = new Command('diff')
    .description('classify what an update of the packages changes for their users')
    .argument('[before]', 'output folder of generate (default: that of the configuration)')
    .argument('[after]', 'output folder to compare with (default: what generate would write now)');
  addFlags(command, commandFlags.diff);
  return withGenerateFlags(command)
    .addHelpText('after', diffExamples)
    .action(async (before: string | undefined, after: string | undefined, flags: DiffFlags) =>
      finish(await (await import('./actions/diff.ts')).runDiff({ before, after }, flags, io)),
    );
}

const docsExamples = `
Examples:
  $ switchyard docs --router-url https://router.example --out site
  $ switchyard docs --offline
  $ npm install --save-dev ${redocPackage} && switchyard docs
Open index.html from the disk, or serve the folder. The pages hold what the documents say, which are private: show them to
those who may read the documents. Without Redoc, an optional peer, the two APIs have no pages.`;

export function docsCommand(io: CommandIo, finish: (code: number) => void): Command {
  const command = new Command('docs').description(
    'write a static site: every model with its fields and a call, search, what changed, and both APIs',
  );
  addFlags(command, commandFlags.docs);
  return withGenerateFlags(command)
    .addHelpText('after', docsExamples)
    .action(async (flags: DocsFlags) => finish(await (await import('./actions/docs.ts')).runDocs(flags, io)));
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
  return addFlags(new Command('sandbox'), commandFlags.sandbox)
    .description('serve both APIs locally, with state and without billing')
    .addHelpText('after', sandboxExamples)
    .action(async (flags: Flags<'sandbox'>) =>
      finish(await (await import('./actions/sandbox.ts')).runSandbox(flags, io)),
    );
}

export function mockCommand(io: CommandIo, finish: (code: number) => void): Command {
  return addFlags(new Command('mock'), commandFlags.mock)
    .description('serve the examples of both documents with Prism, without state')
    .addHelpText(
      'after',
      "\nExamples:\n  $ switchyard mock\n  $ switchyard mock --brand Acme --port 0 --json\n  $ curl -H 'X-API-Key: any' -H 'Prefer: code=404' http://127.0.0.1:4020/v2/models/image-provider/any",
    )
    .action(async (flags: Flags<'mock'>) => finish(await (await import('./actions/mock.ts')).runMock(flags, io)));
}

const initExamples = `
Examples:
  $ switchyard init
  $ switchyard init --router-url https://router.example --scope @acme --ci github --yes
It shows every change first. Without a terminal it writes only with --yes; a file of yours is replaced only with --force.`;

export function initCommand(io: CommandIo, finish: (code: number) => void): Command {
  return addFlags(new Command('init'), commandFlags.init)
    .description('wire the generator into this folder: configuration, scripts, ignore files and CI')
    .addHelpText('after', initExamples)
    .action(async (flags: Flags<'init'>) => finish(await (await import('./actions/init.ts')).runInit(flags, io)));
}

const verifyExamples = `
Examples:
  $ switchyard verify
  $ switchyard verify packages --json
It needs no credential, cache or network, so that it also runs for pull requests from forks. It finds accidents, not
tampering: who edits a file and the lockfile is not noticed. generate --check, run where there is a credential, notices both.`;

export function verifyCommand(io: CommandIo, finish: (code: number) => void): Command {
  return addFlags(new Command('verify'), commandFlags.verify)
    .description('compare generated files with their lockfile alone')
    .argument('[folder]', 'output folder of generate (default: that of the configuration)')
    .addHelpText('after', verifyExamples)
    .action(async (folder: string | undefined, flags: Flags<'verify'>) =>
      finish(await (await import('./actions/verify.ts')).runVerify(folder, flags, io)),
    );
}

export function doctorCommand(io: CommandIo, finish: (code: number) => void): Command {
  return addFlags(new Command('doctor'), commandFlags.doctor)
    .description('check what generate depends on: configuration, credential, router, proxy, clock, cache and output')
    .addHelpText(
      'after',
      '\nExamples:\n  $ switchyard doctor\n  $ switchyard doctor --router-url https://router.example --json',
    )
    .action(async (flags: Flags<'doctor'>) => finish(await (await import('./actions/doctor.ts')).runDoctor(flags, io)));
}

const conformExamples = `
Examples:
  $ switchyard conform                                   the configured address; without one, a sandbox for the check
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
Addresses of variables and of the configuration are those of a live target.
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
      'join the parts of a check with --shard into one report; takes --out, --report, --json, --compare, --waivers, --write-baseline and --min-checked',
    )
    .action(async (folders: string[], _: object, merge: Command) =>
      finish(await (await import('./actions/conform.ts')).mergeParts(folders, merge.optsWithGlobals(), io)),
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
