import type { Evidence, Exchange, ScenarioRequest, WireRequest } from '../contract/exchange.ts';
import type { RuleId } from '../contract/rule.ts';
import type { CallPurpose } from '../contract/scenario.ts';

export type Call = {
  readonly name: string;
  readonly ruleId: RuleId;
  readonly wanted: ScenarioRequest;
  readonly request: WireRequest;
  readonly purpose: CallPurpose;
  readonly expectsRejection: boolean;
  /** Flaw of the call's input. Calls with the same kind of flaw share this text. */
  readonly flaw: string;
  /** True if other calls of the scenario are in progress: repeating the call later would test something else. */
  isOverlapping(): boolean;
  readonly before?: Exchange;
  readonly responseMs?: number;
};

/** Deadline on the clock of the check. It is extended by time that doesn't count against the scenario. */
export type Deadline = { endsAtMs: number };

export type Sent = {
  readonly exchange: Exchange;
  /** Set if the target requested too long a wait. The response to the call is then unknown. */
  readonly postponed?: string;
  /** Set if an earlier call got this response, so that it is already in the log. */
  readonly isShared?: true;
};

/** Sends a call. `composeWire` combines the wires around the target. Throws errors that end a scenario. */
export type Wire = (call: Call, deadline: Deadline) => Promise<Sent>;

export type ExchangeLog = {
  readonly exchanges: Evidence;
  /** Returns the reason if a check can send no more calls because its responses are too large, which isn't a finding. */
  explainFull(): string | undefined;
  add(exchange: Exchange): void;
};

// Limited, because every response is kept in memory until the end of the check.
const heldAtMost = 96 * 1024 * 1024;

export function openLog(onAdd: (exchange: Exchange) => void = () => undefined): ExchangeLog {
  const exchanges: Exchange[] = [];
  let bytes = 0;
  return {
    exchanges,
    explainFull: () =>
      bytes > heldAtMost ? `the responses of this check exceed ${heldAtMost} bytes in total` : undefined,
    add: (exchange) => {
      const { request, result } = exchange;
      exchanges.push(exchange);
      // Request bodies don't count, because rules keep them in memory anyway.
      bytes += request.url.length;
      if (result.kind === 'response')
        bytes += result.headers.reduce((sum, line) => sum + line.join('').length, result.body.length);
      onAdd(exchange);
    },
  };
}
