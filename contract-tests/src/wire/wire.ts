import type { Evidence, Exchange, Ports, ScenarioRequest, WireRequest, WireResponse } from '../contract/exchange.ts';
import type { RuleId } from '../contract/rule.ts';
import type { CallPurpose } from '../contract/scenario.ts';
import type { Target } from '../contract/target.ts';
import type { InputName } from '../requires.ts';

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
  readonly responseMs?: number;
};

/** Deadline on the clock of the check. It is extended by time that doesn't count against the scenario. */
export type Deadline = { endsAtMs: number };

export type Sent = {
  readonly exchange: Exchange;
  /** Set if the target requested too long a wait. The response to the call is then unknown. */
  readonly postponed?: string;
  /** Set if the response is already in the log, because an earlier call or attempt got it. */
  readonly isLogged?: true;
};

/** Sends a call. Throws errors that end a scenario. */
export type Wire = (call: Call, deadline: Deadline) => Promise<Sent>;

/** A request that could start a run if the server does not validate it. */
export type RunRecord = {
  readonly ruleId: RuleId;
  readonly step: string;
  /** `provider/model`, or the URL path if it isn't the path of a model. */
  readonly model: string;
  readonly route: 'run' | 'submit' | 'other';
  readonly credential?: string;
  readonly key?: string;
  /** `reserved`: no response yet. `returned`: a documented rejection or a replay, which are not billed. */
  readonly state: 'reserved' | 'spent' | 'returned';
  readonly expectsRejection: boolean;
  readonly states?: InputName;
  readonly status?: number;
};

/** Counts the runs requested from a live target. Every request of the gate to the target passes through here. */
export type RunBudget = {
  readonly records: readonly RunRecord[];
  /** Returns the index of a record, or undefined if the call cannot start a run. Throws `NotAffordable` if it must not be sent. */
  reserve(call: Call): number | undefined;
  /** True if a call was temporarily rejected without being billed, so that it may be repeated unchanged. */
  isRejectedUnbilled(exchange: Exchange): boolean;
  settle(index: number, exchange: Exchange): void;
};

export type Wiring = {
  readonly target: Target;
  readonly ports: Ports;
  /** `heldMs`: maximum time for a live target to respond to a call that started a run (MR-LIM-01). */
  readonly limits: { readonly requestMs: number; readonly heldMs: number };
  /** Deadline of the check on the ports' clock; a rule that starts later is `setup-failed`. */
  readonly endsAtMs: number;
  readonly log: ExchangeLog;
  /** Only for a live target, because runs of other targets are free. */
  readonly runs: RunBudget | undefined;
  /** Responds in place of the target while a plan counts the runs that a check needs. */
  readonly respond?: (call: Call) => WireResponse;
};

export type ExchangeLog = {
  readonly exchanges: Evidence;
  /** Returns the reason if a check can send no more calls because its responses are too large, which isn't a finding. */
  explainFull(): string | undefined;
  add(exchange: Exchange): void;
};

// Limited, because every response is kept in memory until the end of the check.
const maxLoggedBytes = 96 * 1024 * 1024;

export function openLog(onAdd: (exchange: Exchange) => void = () => undefined): ExchangeLog {
  const exchanges: Exchange[] = [];
  let bytes = 0;
  return {
    exchanges,
    explainFull: () =>
      bytes > maxLoggedBytes ? `the responses of this check exceed ${maxLoggedBytes} bytes in total` : undefined,
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
