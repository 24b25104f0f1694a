/** One line for a person: the message, and what caused it where that says more. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  const message = oneLine(error.message);
  return cause === undefined || message.includes(oneLine(cause)) ? message : `${message} (${oneLine(cause)})`;
}

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
}
