/** Wrong usage: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A source, a target, a folder or a part of switchyard failed: exit code 3. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** What errors of the modules carry beside a message; read by name, so that no module is loaded for it. */
const facts = ['model', 'status', 'requestId', 'help'] as const;
type Facts = Partial<Record<(typeof facts)[number], string | number>>;

/** One line: message, model, status, request id, cause and what to do next, where known. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { model, status, requestId, help } = factsOf(error);
  const message = oneLine(error.message);
  const cause = error.cause instanceof Error ? oneLine(error.cause.message) : undefined;
  const details = [
    model === undefined || message.includes(String(model)) ? undefined : `model ${model}`,
    status === undefined || message.includes(String(status)) ? undefined : `status ${status}`,
    requestId === undefined ? undefined : `request id ${requestId}`,
    cause === undefined || message.includes(cause) ? undefined : cause,
  ].filter((detail) => detail !== undefined);
  return `${message}${details.length === 0 ? '' : ` (${details.join('; ')})`}${help === undefined ? '' : `. ${help}`}`;
}

function factsOf(error: Error): Facts {
  const known: Facts = {};
  for (const name of facts) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string' || typeof value === 'number') known[name] = value;
  }
  return known;
}

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
}

/** Refuses an id that the sandbox does not know. */
export function requireKnown(what: string, ids: readonly string[], known: readonly { id: string }[]): void {
  for (const id of ids) {
    if (!known.some((entry) => entry.id === id))
      throw new UsageError(`unknown ${what} ${JSON.stringify(id)}; switchyard sandbox --list-${what}s lists them`);
  }
}
