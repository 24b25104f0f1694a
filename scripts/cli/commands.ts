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
import { valueOfText } from './kinds.ts';
import { type AnySetting, defaultText, flagText } from './settings.ts';

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
A second run sends the entity tags it holds, and touches no file when nothing changed.`;

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
