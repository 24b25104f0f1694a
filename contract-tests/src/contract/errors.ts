/** A bug in the engine or in a rule. The rule is reported as `errored`, never as `failed`. */
export class HarnessError extends Error {
  override readonly name: string = 'HarnessError';
}

/** The caller's input refers to something that the target does not have. Retrying won't help. */
export class UsageError extends HarnessError {
  // The CLI recognises this error by name, whichever module threw it.
  override readonly name = 'UsageError';
}
