import type { ProbeContext } from './context.ts';
import type { Exchange, NoResponse, WireResponse } from './probe.ts';

/** A response to a call of a scenario, as it was on the wire. */
export type Answer = WireResponse & {
  /** Its name in what the scenario returned, for findings and reports. */
  readonly step: string;
  readonly exchange: Exchange;
  readonly context: ProbeContext;
  /** The idempotency key of the request. */
  readonly key: string | undefined;
  /** All responses to a call that was repeated until a condition held, this one last. */
  readonly attempts: readonly Answer[];
};

/** A call that stayed unanswered, where the scenario allows that. */
export type Silence = NoResponse & Pick<Answer, 'step' | 'exchange' | 'context'>;
