import { Command, CommanderError } from 'commander';
import { UsageError } from './command-error.ts';
import { describeError } from './describe-error.ts';
import type { CommandIo } from './io.ts';
import { hideSecrets } from './option-values.ts';
import { readPackageVersion } from './package-version.ts';

const exitCodes = `
Exit codes:
  0  fine
  1  findings, drift, or under --strict a model that could not be generated
  2  wrong usage
  3  source or target not reachable, an empty catalog without --allow-empty, or a failure of switchyard itself
  4  incomplete: a required rule neither passed nor failed

Credentials come from the environment, never from an argument:
  SWITCHYARD_API_KEY or SWITCHYARD_TOKEN (Model Router), SWITCHYARD_WORKFLOW_TOKEN (Workflow Execution API)`;

export type MakeCommand = (io: CommandIo, finish: (code: number) => void) => Command;

/** Runs one command line (without the node and script words) by one of these commands and returns its exit code. */
export async function runCommands(
  argv: readonly string[],
  io: CommandIo,
  commands: readonly MakeCommand[],
): Promise<number> {
  let code = 0;
  const finish = (result: number): void => {
    code = result;
  };
  const program = new Command('switchyard')
    .description('Typed packages from a Model Router, and contract tests for it and the Workflow Execution API')
    .version(readPackageVersion())
    .addHelpText('after', exitCodes);
  for (const make of commands) program.addCommand(make(io, finish));
  prepare(program, io);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    return explain(error, io);
  }
}

/** Commander's own exits and output go through the io, for every subcommand too. */
function prepare(command: Command, io: CommandIo): void {
  command.exitOverride().configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text, write) => write(hideSecrets(text)),
  });
  command.showHelpAfterError(false).showSuggestionAfterError(true).configureHelp({ showGlobalOptions: false });
  for (const child of command.commands) prepare(child, io);
}

function explain(error: unknown, io: CommandIo): number {
  // Commander has written its line already: help and version are fine, all else is wrong usage.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  io.err(`switchyard: ${describeError(error)}\n`);
  return error instanceof UsageError ? 2 : 3;
}
