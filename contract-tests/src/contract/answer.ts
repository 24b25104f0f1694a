import type { TargetContext } from './context.ts';
import type { Exchange, NoResponse, WireResponse } from './exchange.ts';

export type Answer = WireResponse & {
  /** Name of the call in findings and reports, taken from the object that the scenario returned. */
  readonly step: string;
  readonly exchange: Exchange;
  readonly context: TargetContext;
  readonly key: string | undefined;
  /** All responses to a repeated call; this response is the last one. */
  readonly attempts: readonly Answer[];
};

/** Result of a call without a response, for scenarios that allow one. */
export type Silence = NoResponse & Pick<Answer, 'step' | 'exchange' | 'context'>;
