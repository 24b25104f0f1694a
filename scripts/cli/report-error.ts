import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { describeError } from './errors.ts';
import type { ProcessIo } from './io.ts';
import { guardIo } from './io.ts';

/** Writes one line, and with `isDebug` the stack behind it; returns the exit code. */
export function reportError(error: unknown, io: ProcessIo, isDebug: boolean): number {
  // Commander has written its message; only help and version end with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const stack = isDebug && error instanceof Error ? `\n${inspect(error)}` : '';
  guardIo(io).err(`switchyard: ${describeError(error)}${stack}\n`);
  return isUsageError(error) ? 2 : 3;
}

/** A wrong flag, setting or variable, which another attempt does not mend. */
export function isUsageError(error: unknown): boolean {
  // By name: what the built command loads later has a class of its own.
  return error instanceof Error && error.name === 'UsageError';
}
