import { commands } from './commands.ts';
import type { CommandIo } from './io.ts';
import { runProgram as runCommands } from './program.ts';

/** `generate` alone: the build bundles it into one file, which starts several times faster than many. */
export function runProgram(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommands(argv, io, { generate: commands.generate });
}
