import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { createCredentialDetector } from '../../specs/src/index.ts';
import { secretsIn } from './access.ts';
import { describeError } from './errors.ts';
import type { CommandIo } from './io.ts';

/** Writes one line, and with `isDebug` the stack behind it; returns the exit code. */
export function reportError(error: unknown, io: CommandIo, isDebug: boolean): number {
  // Commander has written its message; only help and version end with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const stack = isDebug && error instanceof Error ? `\n${inspect(error)}` : '';
  io.err(`switchyard: ${publicText(`${describeError(error)}${stack}`, io)}\n`);
  return isUsageError(error) ? 2 : 3;
}

/** A wrong flag, setting or variable, which another attempt does not mend. */
export function isUsageError(error: unknown): boolean {
  // By name: what the built command loads later has a class of its own.
  return error instanceof Error && error.name === 'UsageError';
}

/** Whether a text shows a credential of the environment. */
export function holdsSecret(text: string, { env }: Pick<CommandIo, 'env'>): boolean {
  return createCredentialDetector(secretsIn(env))(text);
}

/** A message as it may be shown: it may quote a response, and ends up in logs. */
export function publicText(message: string, io: Pick<CommandIo, 'env'>): string {
  return holdsSecret(message, io) ? 'failed; the message is left out because it would show a credential' : message;
}
