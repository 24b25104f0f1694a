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
  /** Kind of flaw that the call's input shares with other calls. */
  readonly flaw: string;
  /** True if other calls of the scenario are in progress: repeating the call later would test something else. */
  isOverlapping(): boolean;
  readonly before?: Exchange;
  readonly responseMs?: number;
};

/** On the clock of the check. Extended by time that doesn't count against the scenario. */
export type Deadline = { endsAtMs: number };

export type Sent = {
  readonly exchange: Exchange;
  /** Set if the target requests too long a wait before it serves the call, which shows nothing about the response. */
  readonly postponed?: string;
  /** Set if an earlier call got this response, so that the log has it already. */
  readonly isShared?: true;
};

/** Sends a call. `composeWire` combines the wires around the target. Throws errors that end a scenario. */
export type Wire = (call: Call, deadline: Deadline) => Promise<Sent>;

export type ExchangeLog = {
  readonly exchanges: Evidence;
  /** Returns the reason why a check can send no more calls. Large results are not a fault of the target. */
  explainFull(): string | undefined;
  add(exchange: Exchange): void;
};

// Every response is kept in memory until the end of the check.
const heldAtMost = 96 * 1024 * 1024;

export function openLog(onAdd: (exchange: Exchange) => void = () => undefined): ExchangeLog {
  const exchanges: Exchange[] = [];
  let bytes = 0;
  return {
    exchanges,
    explainFull: () =>
      bytes > heldAtMost ? `the responses of this check exceed ${heldAtMost} bytes together` : undefined,
    add: (exchange) => {
      const { request, result } = exchange;
      exchanges.push(exchange);
      // Rules keep the bodies of requests in memory anyway.
      bytes += request.url.length;
      if (result.kind === 'response')
        bytes += result.headers.reduce((sum, line) => sum + line.join('').length, result.body.length);
      onAdd(exchange);
    },
  };
}
