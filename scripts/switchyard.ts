import { reportError } from './cli/errors.ts';
import { processIo } from './cli/io.ts';

/**
 * Runs the command in this process's arguments and sets the exit code: 0 fine, 1 findings or drift, 2 wrong usage, 3
 * not reachable or an internal failure, 4 incomplete.
 */
export async function main(): Promise<void> {
  const io = processIo();
  const argv = process.argv.slice(2);
  const { runProgram } = await import('./cli/program.ts');
  // Also prints errors outside of promises in one line.
  process.on('uncaughtException', (error) => {
    process.exit(reportError(error, io, argv.includes('--debug')));
  });
  process.exitCode = await runProgram(argv, io);
}

if (import.meta.main) await main();
