import type { Reason } from './finding.ts';
import type { NoResponse } from './probe.ts';

/** Ends a scenario or a check that the target gives no occasion for; its rules are then `not-applicable`. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
  /** As data, where the engine itself did not send a call. */
  readonly why: Reason | undefined;
  constructor(because: string, why?: Reason) {
    super(because);
    this.why = why;
  }
}

/** The budget does not allow a call. A scenario may do without the call (`ifPossible`). */
export class NotAffordable extends NotApplicable {}

/** Ends a scenario when the target refuses a precondition; its rules are then `setup-failed`. */
export class SetupFailure extends Error {
  override readonly name = 'SetupFailure';
}

/** No time is left for a call before the deadline of the scenario. */
export class OutOfTime extends SetupFailure {}

/** Ends a scenario when a call gets no response, which is a finding of each of its rules. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly step: string;
  readonly result: NoResponse;
  constructor(step: string, result: NoResponse) {
    super(`step "${step}" was not answered: ${result.because}: ${result.detail}`);
    this.step = step;
    this.result = result;
  }
}
