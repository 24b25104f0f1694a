/** A mistake of the engine or of a rule, which is then `errored`, never `failed`. */
export class HarnessError extends Error {
  override readonly name: string = 'HarnessError';
}

/** Input of the caller names something that the target does not have: wrong usage. Retrying won't help. */
export class UsageError extends HarnessError {
  // The command recognises wrong usage of every module by this name.
  override readonly name = 'UsageError';
}
