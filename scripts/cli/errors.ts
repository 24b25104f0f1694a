import { inspect } from 'node:util';

/** Wrong usage: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A source, a target, a folder or a part of switchyard failed: exit code 3. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Returns the problem in one line, and what to do next if the error has it. Fields of errors are read by name, which loads no module. */
export function explainError(error: unknown): { message: string; help: string | undefined } {
  const [model, requestId, help] = ['model', 'requestId', 'help'].map((name) => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  });
  const details = [model && `model ${model}`, requestId && `request id ${requestId}`].filter(Boolean);
  return { message: `${toMessage(error)}${details.length === 0 ? '' : ` (${details.join('; ')})`}`, help };
}

/** Returns both as one text. */
export function describeError(error: unknown): string {
  const { message, help } = explainError(error);
  return help === undefined ? message : `${message}. ${help}`;
}

/** Writes one line, and with `isDebug` the stack behind it; returns the exit code. */
export function reportError(error: unknown, io: { err(text: string): void }, isDebug: boolean): number {
  const stack = isDebug && error instanceof Error ? `\n${inspect(error)}` : '';
  io.err(`switchyard: ${describeError(error)}${stack}\n`);
  return isUsageError(error) ? 2 : 3;
}

/** A wrong flag, setting or variable, which another attempt does not mend. */
export function isUsageError(error: unknown): boolean {
  // By name: what the built command loads later has a class of its own.
  return error instanceof Error && error.name === 'UsageError';
}

/** The message of whatever was thrown, in one line. */
export function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = error.message.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).join(' ');
}
