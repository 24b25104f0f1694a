/** A bug of the engine or of a rule. The rule becomes `errored`, never `failed`. */
export class HarnessError extends Error {
  override readonly name: string = 'HarnessError';
}

/** The caller's input names something that the target does not have. Retrying won't help. */
export class UsageError extends HarnessError {
  // The CLI recognises this error by name, whichever module threw it.
  override readonly name = 'UsageError';
}

/** Ends a scenario because the target rejected a setup call. Its rules become `setup-failed`. */
export class SetupFailure extends Error {
  override readonly name = 'SetupFailure';
}

/** The deadline of the scenario leaves no time for a call. */
export class OutOfTime extends SetupFailure {}
