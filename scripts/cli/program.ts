import { conformCommand } from './commands/conform.ts';
import { diffCommand } from './commands/diff.ts';
import { generateCommand } from './commands/generate.ts';
import { mockCommand } from './commands/mock.ts';
import { sandboxCommand } from './commands/sandbox.ts';
import { specsCommand } from './commands/specs.ts';
import type { CommandIo } from './io.ts';
import { runCommands } from './run-commands.ts';

/** Runs one command line (without the node and script words) and returns its exit code. */
export function runProgram(argv: readonly string[], io: CommandIo): Promise<number> {
  const commands = [specsCommand, generateCommand, diffCommand, conformCommand, sandboxCommand, mockCommand];
  return runCommands(argv, io, commands);
}
