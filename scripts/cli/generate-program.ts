import { generateCommand } from './commands.ts';
import type { CommandIo } from './io.ts';
import { runCommands } from './program.ts';

/** `generate` alone. The build makes one file of it and all that it needs, which starts several times faster than many. */
export function runProgram(argv: readonly string[], io: CommandIo): Promise<number> {
  return runCommands(argv, io, [generateCommand]);
}
