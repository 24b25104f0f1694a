/** Wrong usage: one clear line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A source, target, folder or part of ours that could not do its work: exit code 3. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
