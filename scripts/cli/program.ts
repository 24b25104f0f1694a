import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { packageRoot, readPackageVersion } from '../../specs/src/index.ts';
import { type CommandRow, commands } from './commands.ts';
import { reportError, UsageError } from './errors.ts';
import { type CommandIo, ownCommand } from './io.ts';
import { type AnySetting, defaultText, flagText, type Settings, valueOfText } from './kinds.ts';

/** Runs one command line (without the node and script words) and returns its exit code. */
export async function runProgram(argv: readonly string[], io: CommandIo): Promise<number> {
  let code = 0;
  const finish = (result: number): void => {
    code = result;
  };
  const program = createProgram(io, finish, argv.includes('--all'));
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    // Commander has written its message; only help and version end with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error, io, program.opts<{ debug?: boolean }>().debug === true);
  }
}

type Finish = (code: number) => void;

/** The program with all its commands. `isWhole`: help also shows the rarely used flags. */
export function createProgram(io: CommandIo, finish: Finish, isWhole = true): Command {
  const program = new Command('npx openapi-switchyard')
    .description('Typed packages from a Model Router, and contract tests for it and the Workflow Execution API')
    .version(readPackageVersion())
    .option('--debug', 'show where an error comes from; conform checks in its own process, so that breakpoints are hit');
  for (const row of Object.entries(commands)) program.addCommand(makeCommand(row, io, finish));
  finishHelp(program, io, isWhole);
  return program;
}

function makeCommand(
  [name, row]: readonly [string, CommandRow],
  io: CommandIo,
  finish: Finish,
  readAbove = (): object => ({}),
): Command {
  const { says, words = {}, flags = {}, groups = {}, load, children = {} } = row;
  const command = new Command(name).description(says);
  for (const [word, meaning] of Object.entries(words)) command.argument(word, meaning);
  addFlags(command, flags).helpOption('-h, --help', 'display help for command; with --all, every flag');
  for (const [heading, settings] of Object.entries(groups)) addFlags(command.optionsGroup(heading), settings);
  const readFlags = (): object => ({ ...readAbove(), ...command.optsWithGlobals() });
  if (load !== undefined)
    command.action(async () => {
      const flags = readFlags() as never;
      finish(await (await load())(flags, io, ...(command.processedArgs as never[])));
    });
  for (const child of Object.entries(children)) command.addCommand(makeCommand(child, io, finish, readFlags));
  return command;
}

/** Adds the flags of these settings, in their order. Where nothing is stated, commander leaves them out. */
function addFlags(command: Command, settings: Settings): Command {
  for (const [name, setting] of Object.entries(settings)) command.addOption(makeFlag(name, setting));
  return command;
}

function makeFlag(name: string, setting: AnySetting): Option {
  const { kind, says, variable, preset, conflicts = [], rare = false } = setting;
  const otherwise = defaultText(setting);
  const notes = `${otherwise === undefined ? '' : ` (default: ${otherwise})`}${variable === undefined ? '' : ` (env: ${variable})`}`;
  const option = new Option(flagText(name, setting), `${says}${notes}`).preset(preset).conflicts([...conflicts]);
  option.hideHelp(rare);
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

/** Adds the end of the help, and sends commander's exits and output through the io, for every subcommand. */
function finishHelp(command: Command, io: CommandIo, isWhole: boolean): void {
  if (isWhole) for (const option of command.options) option.hideHelp(false);
  command.addHelpText('after', () => readHelp(command, isWhole));
  command.exitOverride().configureOutput({
    // A text for a file or a pipe stays as it is.
    writeOut: (text) => io.out(io.columns === undefined ? text : command.createHelp().boxWrap(text, io.columns)),
    getOutHelpWidth: () => io.columns ?? 80,
    writeErr: io.err,
    outputError: (text, write) => write(hideSecrets(text)),
  });
  command.showHelpAfterError(false).showSuggestionAfterError(true).configureHelp({ showGlobalOptions: false });
  for (const child of command.commands) finishHelp(child, io, isWhole);
}

/** Examples of a command and what to know of it, from `templates/help`; below a line of dashes what few people need. */
function readHelp(command: Command, isWhole: boolean): string {
  const path: string[] = [];
  for (let at = command; at.parent !== null; at = at.parent) path.unshift(at.name());
  const file = join(packageRoot(), 'templates/help', `${path.join('-') || 'switchyard'}.txt`);
  const [text = '', more = ''] = existsSync(file) ? readFileSync(file, 'utf8').split('----\n') : [];
  const hidden = !isWhole && (more !== '' || command.options.some((option) => option.hidden));
  const rest = hidden ? `More: ${ownCommand([...path, '--help', '--all'])}\n` : '';
  return `\n${text.startsWith('  $') ? 'Examples:\n' : ''}${text}${isWhole ? more : ''}${rest}`.trimEnd();
}

// An error message quotes the refused value and ends up in logs: it must not show credentials of an address.
function hideSecrets(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s'"]*@/gi, '$1…@')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s'"?#]*)[?#][^\s'"]*/gi, '$1?…');
}
