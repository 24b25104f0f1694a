import { reportError } from './cli/errors.ts';
import { createProcessIo } from './cli/io.ts';

/**
 * Runs the command given in the process arguments and sets the exit code: 0 success, 1 findings or outdated output, 2
 * invalid usage, 3 not reachable or an internal failure, 4 incomplete.
 */
export async function main(): Promise<void> {
  const io = createProcessIo();
  const argv = process.argv.slice(2);
  const { runProgram } = await import('./cli/program.ts');
  // Also print errors that no promise catches in one line.
  process.on('uncaughtException', (error) => {
    process.exit(reportError(error, io, argv.includes('--debug')));
  });
  process.exitCode = await runProgram(argv, io);
}

if (import.meta.main) await main();
