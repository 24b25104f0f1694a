import type { NoResponse } from './exchange.ts';
import type { Reason } from './finding.ts';

/** Ends a scenario or check that cannot be applied to the target. Its rules become `not-applicable`. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
  /** Machine-readable reason, if the engine decided not to send a call. */
  readonly why: Reason | undefined;
  constructor(because: string, why?: Reason) {
    super(because);
    this.why = why;
  }
}

/** The budget does not allow a call. A scenario can continue without it (`ifPossible`). */
export class NotAffordable extends NotApplicable {}

/** Ends a scenario when the target rejects a precondition; its rules are then `setup-failed`. */
export class SetupFailure extends Error {
  override readonly name = 'SetupFailure';
}

export class OutOfTime extends SetupFailure {}

/** Ends a scenario when a call gets no response. Each rule of the scenario then has a finding. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly step: string;
  readonly result: NoResponse;
  constructor(step: string, result: NoResponse) {
    super(`step "${step}" got no response: ${result.because}: ${result.detail}`);
    this.step = step;
    this.result = result;
  }
}
