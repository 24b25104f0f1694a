import { inspect } from 'node:util';

/** The command was used incorrectly: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was used correctly, but it failed, for example because a server or a folder can't be read: exit code 3. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/**
 * Returns the problem in one line, and the error's advice, if any. Reads the members of the error by name, so that the
 * modules with the error classes need not be loaded.
 */
export function explainError(error: unknown): { message: string; help: string | undefined } {
  const [model, requestId, help] = ['model', 'requestId', 'help'].map((name) => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  });
  const details = [model && `model ${model}`, requestId && `request id ${requestId}`].filter(Boolean);
  return { message: `${toMessage(error)}${details.length === 0 ? '' : ` (${details.join('; ')})`}`, help };
}

/** Returns the problem and the advice as one text. */
export function describeError(error: unknown): string {
  const { message, help } = explainError(error);
  return help === undefined ? message : `${message}. ${help}`;
}

/** Prints one line, and with `isDebug` also the stack. Returns the exit code. */
export function reportError(error: unknown, io: { err(text: string): void }, isDebug: boolean): number {
  const stack = isDebug && error instanceof Error ? `\n${inspect(error)}` : '';
  io.err(`switchyard: ${describeError(error)}${stack}\n`);
  return isUsageError(error) ? 2 : 3;
}

/** True for an invalid flag, setting or variable. Retrying doesn't help. */
export function isUsageError(error: unknown): boolean {
  // Compares the name, because chunks of the built command may have their own copy of the class.
  return error instanceof Error && error.name === 'UsageError';
}

/** Returns the message of a thrown value in one line. */
export function toMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = error.message.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).join(' ');
}
