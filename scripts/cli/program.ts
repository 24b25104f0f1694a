import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, Option } from 'commander';
import { packageRoot, readPackageVersion } from '../../specs/src/index.ts';
import { type CommandRow, commands, type Flag, flagName, flagText } from './commands.ts';
import { reportError } from './errors.ts';
import { type CommandIo, type CommandResult, formatCommand } from './io.ts';
import { readValue } from './values.ts';

type Action = (flags: never, io: CommandIo, ...words: never[]) => ActionResult | Promise<ActionResult>;
/** An exit code, or a result to print. */
type ActionResult = number | CommandResult;

/** Loads the function that runs a command. Loading all of them takes longer than printing a help text. */
const actions: Readonly<Record<Exclude<keyof typeof commands, 'specs'>, () => Promise<Action>>> = {
  init: async () => (await import('./actions/init.ts')).runInit,
  'specs build': async () => (await import('./actions/specs.ts')).buildSpecs,
  'specs check': async () => (await import('./actions/specs.ts')).checkSpecifications,
  generate: async () => (await import('./actions/generate.ts')).runGenerate,
  verify: async () => (await import('./actions/verify.ts')).runVerify,
  diff: async () => (await import('./actions/diff.ts')).runDiff,
  docs: async () => (await import('./actions/docs.ts')).runDocs,
  conform: async () => (await import('./actions/conform.ts')).runConform,
  explain: async () => (await import('./actions/explain.ts')).runExplain,
  sandbox: async () => (await import('./actions/sandbox.ts')).runSandbox,
  mock: async () => (await import('./actions/mock.ts')).runMock,
  doctor: async () => (await import('./actions/doctor.ts')).runDoctor,
};

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
  for (const [path, row] of Object.entries(commands)) {
    const [name = '', above] = path.split(' ').reverse();
    const parent = program.commands.find((one) => one.name() === above) ?? program;
    parent.addCommand(makeCommand(name, row, Reflect.get(actions, path), io, finish));
  }
  finishHelp(program, io, showsAll);
  return program;
}

function makeCommand(
  name: string,
  { description, words = {}, flags, groups = {} }: CommandRow,
  load: (() => Promise<Action>) | undefined,
  io: CommandIo,
  finish: (code: number) => void,
): Command {
  const command = new Command(name).description(description);
  for (const [word, meaning] of Object.entries(words)) command.argument(word, meaning);
  for (const [option, flag] of Object.entries(flags)) command.addOption(makeOption(option, flag));
  command.helpOption('-h, --help', 'display help for command; with --all, every flag');
  for (const [heading, rows] of Object.entries(groups)) {
    command.optionsGroup(heading);
    for (const [option, flag] of Object.entries(rows)) command.addOption(makeOption(option, flag));
  }
  if (load !== undefined)
    command.action(async () => {
      const run = await load();
      const given = command.optsWithGlobals<{ json?: boolean }>();
      const result = await run(given as never, io, ...(command.processedArgs as never[]));
      if (typeof result === 'number') return finish(result);
      const { report, more, text, failure, code } = result;
      io.out(given.json ? `${JSON.stringify(more === undefined ? report : { ...report, ...more })}\n` : await text());
      if (failure !== undefined) throw failure;
      finish(code);
    });
  return command;
}

function makeOption(name: string, flag: Flag): Option {
  const { schema, description, sets, conflicts = [], rare = false, variable } = flag;
  const text = variable === undefined ? description : `${description} (env: ${variable})`;
  const option = new Option(flagText(name, flag), text).conflicts([...conflicts]).hideHelp(rare);
  const { options } = schema as { readonly options?: readonly string[] };
  if (schema.type === 'picklist' && options !== undefined) option.choices([...options]);
  // Commander itself collects the words of a list.
  if (option.required && !option.variadic)
    option.argParser((word) => {
      const given = schema.type === 'number' && /^\d+(?:\.\d+)?$/.test(word) ? Number(word) : word;
      const value = readValue(schema, given, flagName(name));
      return sets === undefined ? value : given; // The value of a setting is read together with the configuration.
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
  const rest = hidden ? `More: ${formatCommand([...path, '--help', '--all'])}\n` : '';
  return `\n${text.startsWith('  $') ? 'Examples:\n' : ''}${text}${showsAll ? more : ''}${rest}`.trimEnd();
}

// Removes credentials from URLs, because error messages quote the rejected value and are logged.
function hideSecrets(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s'"]*@/gi, '$1…@')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s'"?#]*)[?#][^\s'"]*/gi, '$1?…');
}
