import { Command } from 'commander';
import { readPackageVersion } from '../../specs/src/index.ts';
import {
  conformCommand,
  diffCommand,
  docsCommand,
  doctorCommand,
  explainCommand,
  generateCommand,
  initCommand,
  mockCommand,
  sandboxCommand,
  specsCommand,
  verifyCommand,
} from './commands.ts';
import type { CommandIo } from './io.ts';
import { reportError } from './report-error.ts';

const exitCodes = `
Exit codes:
  0  fine
  1  findings, drift, or under --strict a model that could not be generated
  2  wrong usage
  3  source or target not reachable, an empty catalog without --allow-empty, or a failure of switchyard itself
  4  incomplete: a required rule neither passed nor failed

Credentials come from the environment, never from an argument:
  SWITCHYARD_API_KEY or SWITCHYARD_TOKEN (Model Router), SWITCHYARD_WORKFLOW_TOKEN (Workflow Execution API)
To a public host they go over https, or with --allow-http.`;

export { reportError };

export type MakeCommand = (io: CommandIo, finish: (code: number) => void) => Command;

/** Every command, in the order of the help text. */
const everyCommand: readonly MakeCommand[] = [
  initCommand,
  specsCommand,
  generateCommand,
  verifyCommand,
  diffCommand,
  docsCommand,
  conformCommand,
  explainCommand,
  sandboxCommand,
  mockCommand,
  doctorCommand,
];

/** Runs one command line (without the node and script words) and returns its exit code. */
export function runProgram(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommands(argv, io, everyCommand);
}

/** The same with some of the commands. */
export async function runCommands(
  argv: readonly string[],
  io: CommandIo,
  commands: readonly MakeCommand[],
): Promise<number> {
  let code = 0;
  const finish = (result: number): void => {
    code = result;
  };
  const program = createProgram(io, finish, commands);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return reportError(error, io, program.opts<{ debug?: boolean }>().debug === true);
  }
}

/** The program with its commands; without a list, with every one. */
export function createProgram(io: CommandIo, finish: (code: number) => void, commands = everyCommand): Command {
  const program = new Command('switchyard')
    .description('Typed packages from a Model Router, and contract tests for it and the Workflow Execution API')
    .version(readPackageVersion())
    .option('--debug', 'show where an error comes from')
    .addHelpText('after', exitCodes);
  for (const make of commands) program.addCommand(make(io, finish));
  redirectOutput(program, io);
  return program;
}

/** Sends commander's exits and output through the io, for every subcommand. */
function redirectOutput(command: Command, io: CommandIo): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.out(wrapLines(text, io.columns)),
    getOutHelpWidth: () => io.columns ?? 80,
    writeErr: io.err,
    outputError: (text, write) => write(hideSecrets(text)),
  });
  command.showHelpAfterError(false).showSuggestionAfterError(true).configureHelp({ showGlobalOptions: false });
  for (const child of command.commands) redirectOutput(child, io);
}

/** Breaks long lines at spaces, further lines indented as their first; text for a file or a pipe stays as it is. */
function wrapLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .map((line) => (line.length <= columns ? line : wrapLine(line, Math.max(columns, 40))))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const indent = `${/^ */.exec(line)?.[0] ?? ''}  `;
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const space = rest.lastIndexOf(' ', columns);
    if (space <= indent.length) break;
    lines.push(rest.slice(0, space));
    rest = indent + rest.slice(space + 1);
  }
  return [...lines, rest].join('\n');
}

// An error message quotes the refused value and ends up in logs: it must not show credentials of an address.
function hideSecrets(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s'"]*@/gi, '$1…@')
    .replace(/([a-z][a-z0-9+.-]*:\/\/[^\s'"?#]*)[?#][^\s'"]*/gi, '$1?…');
}
