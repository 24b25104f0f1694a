import { commands } from './commands.ts';
import type { ProcessIo } from './io.ts';
import { runProgram as runCommands } from './program.ts';

export { reportError } from './report-error.ts';

/** `generate` alone: the build bundles it into one file, which starts several times faster than many. */
export function runProgram(argv: readonly string[], io: ProcessIo): Promise<number> {
  return runCommands(argv, io, { generate: commands.generate });
}
