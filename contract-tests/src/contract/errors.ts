/** A mistake of the engine or of a rule, which is then `errored`, never `failed`. */
export class HarnessError extends Error {
  override readonly name: string = 'HarnessError';
}

/** Input of the caller names something that the target does not have: wrong usage. Retrying won't help. */
export class UsageError extends HarnessError {
  // The command recognises wrong usage of every module by this name.
  override readonly name = 'UsageError';
}

/** Ends a scenario when the target refuses a precondition; its rules are then `setup-failed`. */
export class SetupFailure extends Error {
  override readonly name = 'SetupFailure';
}

/** No time is left for a call before the deadline of the scenario. */
export class OutOfTime extends SetupFailure {}
