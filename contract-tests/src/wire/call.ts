import type { Exchange, ScenarioRequest, WireRequest } from '../contract/exchange.ts';
import type { RuleId } from '../contract/rule.ts';
import type { CallPurpose } from '../contract/scenario.ts';
import type { InputName } from '../requires.ts';

export type Call = {
  readonly name: string;
  readonly ruleId: RuleId;
  /** Rule or path to blame if the processing of the response never ends. */
  readonly at?: string | undefined;
  readonly wanted: ScenarioRequest;
  readonly request: WireRequest;
  readonly purpose: CallPurpose;
  readonly expectsRejection: boolean;
  /** Flaw of the call's input. Calls with the same kind of flaw share this text. */
  readonly flaw: string;
  /** True if other calls of the scenario are in progress: repeating the call later would test something else. */
  isOverlapping(): boolean;
};

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
