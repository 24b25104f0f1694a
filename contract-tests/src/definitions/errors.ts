/** A mistake of the engine or of a rule, which is then `errored`, never `failed`. */
export class HarnessError extends Error {
  override readonly name = 'HarnessError';
}

/** Thrown inside a rule that the catalog gives no occasion for; the rule is then `not-applicable`. */
export class NoOccasion extends Error {
  override readonly name = 'NoOccasion';
}

/** Thrown inside a rule when the target refuses a precondition; the rule is then `setup-failed`. */
export class SetupFailure extends Error {
  override readonly name = 'SetupFailure';
}
