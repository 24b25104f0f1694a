import { Command, InvalidArgumentError, Option } from 'commander';
import { readPackageVersion } from '../../specs/src/index.ts';
import { type CommandRow, type CommandRows, commands } from './commands.ts';
import { UsageError } from './errors.ts';
import type { CommandIo, ProcessIo } from './io.ts';
import { guardIo } from './io.ts';
import { type AnySetting, defaultText, flagText, valueOfText } from './kinds.ts';
import { reportError } from './report-error.ts';

const exitCodes = `
Exit codes:
  0  fine
  1  findings, drift, or under --strict a model that could not be generated
  2  wrong usage
  3  source or target not reachable, more unreadable documents than --allow-failed allows, an empty catalog without
     --allow-empty, or a failure of switchyard itself; 2 wins over 3, and 3 over 1
  4  incomplete: a required rule neither passed nor failed

Credentials come from the environment, never from an argument:
  SWITCHYARD_API_KEY or SWITCHYARD_TOKEN (Model Router), SWITCHYARD_WORKFLOW_TOKEN (Workflow Execution API)
To a public host they go over https, or with --allow-http.`;

export { reportError };

/** Runs one command line (without the node and script words) and returns its exit code. */
export async function runProgram(argv: readonly string[], given: ProcessIo, rows?: CommandRows): Promise<number> {
  const io = guardIo(given);
  let code = 0;
  const finish = (result: number): void => {
    code = result;
  };
  const program = createProgram(io, finish, rows);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return reportError(error, io, program.opts<{ debug?: boolean }>().debug === true);
  }
}

type Finish = (code: number) => void;

/** The program with its commands; without rows, with every one. */
export function createProgram(io: CommandIo, finish: Finish, rows: CommandRows = commands): Command {
  const program = new Command('switchyard')
    .description('Typed packages from a Model Router, and contract tests for it and the Workflow Execution API')
    .version(readPackageVersion())
    .option('--debug', 'show where an error comes from')
    .addHelpText('after', exitCodes);
  for (const row of Object.entries(rows)) program.addCommand(makeCommand(row, io, finish));
  redirectOutput(program, io);
  return program;
}

function makeCommand(
  [name, row]: readonly [string, CommandRow],
  io: CommandIo,
  finish: Finish,
  readAbove = (): object => ({}),
): Command {
  const { says, words = {}, flags = {}, groups = {}, examples, run, children = {} } = row;
  const command = new Command(name).description(says);
  for (const [word, meaning] of Object.entries(words)) command.argument(word, meaning);
  addFlags(command, flags).helpOption('-h, --help', 'display help for command');
  for (const [heading, settings] of Object.entries(groups)) addFlags(command.optionsGroup(heading), settings);
  if (examples !== undefined) command.addHelpText('after', `\nExamples:${examples}`);
  const readFlags = (): object => ({ ...readAbove(), ...command.opts() });
  // The flags and words of a row are those that it runs with.
  if (run !== undefined)
    command.action(async () => finish(await run(readFlags() as never, io, ...(command.processedArgs as never[]))));
  for (const child of Object.entries(children)) command.addCommand(makeCommand(child, io, finish, readFlags));
  return command;
}

/** Adds the flags of these settings, in their order. Where nothing is stated, commander leaves them out. */
function addFlags(command: Command, settings: Readonly<Record<string, AnySetting>>): Command {
  for (const [name, setting] of Object.entries(settings)) command.addOption(makeFlag(name, setting));
  return command;
}

function makeFlag(name: string, setting: AnySetting): Option {
  const { kind, says, variable, preset, conflicts = [] } = setting;
  const otherwise = defaultText(setting);
  const notes = `${otherwise === undefined ? '' : ` (default: ${otherwise})`}${variable === undefined ? '' : ` (env: ${variable})`}`;
  const option = new Option(flagText(name, setting), `${says}${notes}`).preset(preset).conflicts([...conflicts]);
  if ('enum' in kind.schema) return option.choices(kind.schema.enum.map(String));
  // Commander collects the words of a list itself.
  const takesText = (option.required || option.optional) && !option.variadic;
  return takesText ? option.argParser((text) => parse(setting, text)) : option;
}

function parse({ kind }: AnySetting, text: string): unknown {
  try {
    return valueOfText(kind, text);
  } catch (error) {
    throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error;
  }
}

/** Sends commander's exits and output through the io, for every subcommand. */
function redirectOutput(command: Command, io: CommandIo): void {
  command.exitOverride().configureOutput({
    // A text for a file or a pipe stays as it is.
    writeOut: (text) => io.out(io.columns === undefined ? text : command.createHelp().boxWrap(text, io.columns)),
    getOutHelpWidth: () => io.columns ?? 80,
    writeErr: io.err,
    outputError: (text, write) => write(hideSecrets(text)),
  });
  command.showHelpAfterError(false).showSuggestionAfterError(true).configureHelp({ showGlobalOptions: false });
  for (const child of command.commands) redirectOutput(child, io);
}

// An error message quotes the refused value and ends up in logs: it must not show credentials of an address.
function hideSecrets(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s'"]*@/gi, '$1…@')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s'"?#]*)[?#][^\s'"]*/gi, '$1?…');
}
