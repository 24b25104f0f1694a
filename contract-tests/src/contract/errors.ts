/** A mistake of the engine or of a rule, which is then `errored`, never `failed`. */
export class HarnessError extends Error {
  override readonly name: string = 'HarnessError';
}

/** Input of the caller that names what the target does not have: wrong usage, which no repetition mends. */
export class UsageError extends HarnessError {
  // The command knows wrong usage by this name, whoever throws it.
  override readonly name = 'UsageError';
}

/** Thrown inside a rule that the catalog gives no occasion for; the rule is then `not-applicable`. */
export class NoOccasion extends Error {
  override readonly name = 'NoOccasion';
}

/** Thrown inside a rule when the target refuses a precondition; the rule is then `setup-failed`. */
export class SetupFailure extends Error {
  override readonly name = 'SetupFailure';
}
