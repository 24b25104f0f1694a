/** The engine's or a rule's own mistake; the rule comes to `errored`, never to `failed`. */
export class HarnessError extends Error {
  override readonly name = 'HarnessError';
}

/** Thrown inside a rule when the target refused what the rule needs first; the rule comes to `setup-failed`. */
export class SetupFailure extends Error {
  override readonly name = 'SetupFailure';
}
