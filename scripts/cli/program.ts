import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { packageRoot, readPackageVersion } from '../../specs/src/index.ts';
import { commandFlags, generationFlags } from './command-flags.ts';
import { reportError } from './errors.ts';
import { type CommandIo, type CommandResult, ownCommand } from './io.ts';
import { describe, flagText, type Setting, type Settings } from './settings.ts';
import { readValue } from './values.ts';

export type CommandRows = Readonly<Record<string, CommandRow>>;

/** An exit code, or a result to print. */
type Returned = number | CommandResult;

export type CommandRow = {
  readonly description: string;
  /** Arguments with their descriptions. */
  readonly words?: Readonly<Record<string, string>>;
  readonly flags?: Settings;
  /** Additional flags by their headings in the help text. */
  readonly groups?: Readonly<Record<string, Settings>>;
  /** Loads the function that runs the command and returns the exit code. */
  load?(): Promise<(flags: never, io: CommandIo, ...words: never[]) => Returned | Promise<Returned>>;
  readonly children?: CommandRows;
};

/** Commands by name, in the order of the help text; examples are in `templates/help`. */
export const commands = {
  // Each action is imported on demand, because loading all of them takes longer than printing a help text.
  init: {
    description: 'set up the generator in this folder: configuration, scripts, ignore files and CI',
    flags: commandFlags.init,
    load: async () => (await import('./actions/init.ts')).runInit,
  },
  specs: {
    description: 'build or check the two OpenAPI documents',
    children: {
      build: {
        description: 'write the effective documents (brand, queue statuses and overlays applied) as YAML and JSON',
        flags: commandFlags.specsBuild,
        load: async () => (await import('./actions/specs.ts')).buildSpecs,
      },
      check: {
        description: 'validate both documents, their examples and the requirements and assumptions they cite',
        flags: commandFlags.specsCheck,
        load: async () => (await import('./actions/specs.ts')).checkSpecifications,
      },
    },
  },
  generate: {
    description: 'write typed packages for every model of a catalog, and for both APIs',
    flags: commandFlags.generate,
    groups: generationFlags,
    load: async () => (await import('./actions/generate.ts')).runGenerate,
  },
  verify: {
    description: 'compare generated files with their lockfile, without network or credential',
    words: { '[folder]': 'output folder of generate (default: the one in the configuration)' },
    flags: commandFlags.verify,
    load: async () => (await import('./actions/verify.ts')).runVerify,
  },
  diff: {
    description: 'show how an update of the packages affects their users',
    words: {
      '[before]': 'output folder of generate (default: the one in the configuration)',
      '[after]': 'output folder to compare with (default: what generate would write now)',
    },
    flags: commandFlags.diff,
    groups: generationFlags,
    load: async () => (await import('./actions/diff.ts')).runDiff,
  },
  docs: {
    description: 'write a static site about every model and both APIs',
    flags: commandFlags.docs,
    groups: generationFlags,
    load: async () => (await import('./actions/docs.ts')).runDocs,
  },
  conform: {
    description: 'check a target against the contract',
    flags: commandFlags.conform,
    load: async () => (await import('./actions/conform.ts')).runConform,
  },
  explain: {
    description: 'explain a rule, a requirement, a code or any other term in the output',
    words: {
      '<name...>':
        'id of a rule, requirement, fault or assumption; code of a diagnostic or finding; an outcome; or words to search for',
    },
    load: async () => (await import('./actions/explain.ts')).runExplain,
  },
  sandbox: {
    description: 'serve both APIs locally, with state and without billing',
    flags: commandFlags.sandbox,
    load: async () => (await import('./actions/sandbox.ts')).runSandbox,
  },
  mock: {
    description: 'serve the examples of both documents with Prism, without state',
    flags: commandFlags.mock,
    load: async () => (await import('./actions/mock.ts')).runMock,
  },
  doctor: {
    description: 'check that generate and conform can run, one line per check',
    flags: commandFlags.doctor,
    load: async () => (await import('./actions/doctor.ts')).runDoctor,
  },
} satisfies CommandRows;

/** Runs a command line (without node and the script) and returns its exit code. */
export async function runProgram(argv: readonly string[], io: CommandIo): Promise<number> {
  let code = 0;
  const program = createProgram(io, (result) => (code = result), argv.includes('--all'));
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed its message. Only help and version end with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error, io, program.opts<{ debug?: boolean }>().debug === true);
  }
}

/** Creates the program with all its commands. `showsAll`: help also shows rarely used flags. */
export function createProgram(io: CommandIo, finish: (code: number) => void, showsAll = true): Command {
  const program = new Command('npx openapi-switchyard')
    .description('Typed packages from a Model Router, and contract tests for it and the Workflow Execution API')
    .version(readPackageVersion())
    .option('--debug', 'print the stack of an error');
  for (const row of Object.entries(commands)) program.addCommand(makeCommand(row, io, finish));
  finishHelp(program, io, showsAll);
  return program;
}

function makeCommand(
  [name, row]: readonly [string, CommandRow],
  io: CommandIo,
  finish: (code: number) => void,
): Command {
  const { description, words = {}, flags = {}, groups = {}, load, children = {} } = row;
  const command = new Command(name).description(description);
  for (const [word, meaning] of Object.entries(words)) command.argument(word, meaning);
  for (const one of Object.entries(flags)) command.addOption(makeFlag(...one));
  command.helpOption('-h, --help', 'display help for command; with --all, every flag');
  for (const [heading, settings] of Object.entries(groups)) {
    command.optionsGroup(heading);
    for (const one of Object.entries(settings)) command.addOption(makeFlag(...one));
  }
  if (load !== undefined)
    command.action(async () => {
      const run = await load();
      const flags = command.optsWithGlobals<{ json?: boolean }>();
      const result = await run(flags as never, io, ...(command.processedArgs as never[]));
      if (typeof result === 'number') return finish(result);
      const { report, more, text, failure, code } = result;
      io.out(flags.json ? `${JSON.stringify(more === undefined ? report : { ...report, ...more })}\n` : await text());
      if (failure !== undefined) throw failure;
      finish(code);
    });
  for (const child of Object.entries(children)) command.addCommand(makeCommand(child, io, finish));
  return command;
}

function makeFlag(name: string, row: Setting): Option {
  const flag = flagText(name, row);
  const option = new Option(flag, `${describe(row)}${row.variable === undefined ? '' : ` (env: ${row.variable})`}`);
  if (row.conflicts !== undefined) option.conflicts([...row.conflicts]);
  if (row.rare) option.hideHelp();
  const { options } = row.schema as { readonly options?: readonly string[] };
  if (row.schema.type === 'picklist' && options !== undefined) option.choices([...options]);
  // Commander itself collects the words of a list.
  if (option.required && !option.variadic)
    option.argParser((text) => {
      const value = row.schema.type === 'number' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
      readValue(row.schema, value, flag.split(' ', 1).join(), '');
      return value;
    });
  return option;
}

/** Adds examples and notes to the help, and sends commander's output through the io, for the command and its subcommands. */
function finishHelp(command: Command, io: CommandIo, showsAll: boolean): void {
  if (showsAll) for (const option of command.options) option.hideHelp(false);
  command.addHelpText('after', () => readHelp(command, showsAll));
  command.exitOverride().configureOutput({
    // Output to a file or a pipe isn't wrapped.
    writeOut: (text) => io.out(io.columns === undefined ? text : command.createHelp().boxWrap(text, io.columns)),
    getOutHelpWidth: () => io.columns ?? 80,
    writeErr: io.err,
    outputError: (text, write) => write(hideSecrets(text)),
  });
  command.showHelpAfterError(false).showSuggestionAfterError(true).configureHelp({ showGlobalOptions: false });
  for (const child of command.commands) finishHelp(child, io, showsAll);
}

/** Returns examples and notes from `templates/help`; the part below a line of dashes needs `--all`. */
function readHelp(command: Command, showsAll: boolean): string {
  const path: string[] = [];
  for (let at = command; at.parent !== null; at = at.parent) path.unshift(at.name());
  const file = join(packageRoot(), 'templates/help', `${path.join('-') || 'switchyard'}.txt`);
  const [text = '', more = ''] = existsSync(file) ? readFileSync(file, 'utf8').split('----\n') : [];
  const hidden = !showsAll && (more !== '' || command.options.some((option) => option.hidden));
  const rest = hidden ? `More: ${ownCommand([...path, '--help', '--all'])}\n` : '';
  return `\n${text.startsWith('  $') ? 'Examples:\n' : ''}${text}${showsAll ? more : ''}${rest}`.trimEnd();
}

// Removes credentials from URLs, because error messages quote the rejected value and are logged.
function hideSecrets(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s'"]*@/gi, '$1…@')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s'"?#]*)[?#][^\s'"]*/gi, '$1?…');
}
