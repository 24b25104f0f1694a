import { Command, Option } from 'commander';
import {
  allowHttpFlag,
  type BuildFlags,
  type CheckFlags,
  type DiffFlags,
  type DocsFlags,
  type GenerateFlags,
  layoutFlag,
  type MockFlags,
  packageVersion,
  redocPackage,
  routerFlag,
  type SandboxFlags,
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
  $ switchyard generate --watch 300
A second run sends the entity tags it holds, and touches no file when nothing changed.`;

export function generateCommand(io: CommandIo, finish: (code: number) => void): Command {
  const command = new Command('generate')
    .description('write typed packages for every model of a catalog, and for both APIs')
    .option('--out <dir>', 'folder of the packages (default: generated)')
    .option(
      '--package-version <version>',
      'version of the packages; auto: what the changes since the last release ask for (default: kept)',
      packageVersion,
    )
    .option('--check', 'write nothing; exit 1 when a write is due')
    .option('--strict', 'exit 1 when any model could not be generated')
    .addOption(
      new Option(
        '--watch [seconds]',
        'generate again when configuration or overlays change, and when the router does, which is asked at this interval',
      )
        .argParser(wholeNumber(1, 86_400))
        .preset(60)
        .conflicts(['check', 'frozen']),
    );
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
  command.option('--json', 'print the report as JSON').helpOption('-h, --help', 'display help for command');
  command.optionsGroup('Source:').addOption(routerFlag()).addOption(allowHttpFlag());
  return withSpecFlags(command)
    .option('--cache <dir>', 'folder of the private document cache (default: .switchyard/cache)')
    .option('--concurrency <n>', 'requests at once (default: 8)', wholeNumber(1, 64))
    .option('--frozen', 'build exactly what switchyard.lock.json names, or fail')
    .option('--offline', 'send no request; read the cache alone')
    .option('--allow-empty', 'accept an empty catalog')
    .optionsGroup('What is generated:')
    .option('--only <glob...>', 'only models whose id matches; files of other models are removed from the output')
    .option(
      '--scope <@name>',
      'npm scope of the packages (default: that of the output, else of the nearest package.json)',
    )
    .addOption(layoutFlag())
    .option('--output-validators', 'also make validators of outputs')
    .option('--types-only', 'leave out validators and schemas as data');
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
    .argument('[after]', 'output folder to compare with (default: what generate would write now)')
    .option(
      '--base <revision>',
      'compare the folder, by default that of the configuration, with a git revision',
      someText,
    )
    .addOption(new Option('--format <form>', 'how to print it').choices(['text', 'markdown', 'json']).default('text'));
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
  const command = new Command('docs')
    .description('write a static site: every model with its fields and a call, search, what changed, and both APIs')
    .option('--out <dir>', 'folder of the site (default: .switchyard/docs)', someText)
    .option(
      '--packages <dir>',
      'folder of the generated packages, for what changed since them (default: that of the configuration)',
      someText,
    );
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
      new Option(
        '--clock <kind>',
        'real: runs on, and can be advanced unless there is a --db; manual: moves only when advanced',
      )
        .choices(['real', 'manual'])
        .default('real'),
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
