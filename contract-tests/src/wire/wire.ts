import type { Exchange } from '../contract/probe.ts';
import type { RuleId } from '../contract/rule.ts';
import type { CallPurpose } from '../contract/scenario.ts';
import type { Prepared } from './request.ts';

/** A call on its way to the target. */
export type Call = Prepared &
  Pick<CallPurpose, 'share' | 'toShow' | 'states'> & {
    readonly name: string;
    /** The rule that its scenario is sent for. */
    readonly ruleId: RuleId;
    readonly expectsRejection: boolean;
    /** The kind of flaw that the call's input shares with other calls. */
    readonly flaw: string;
    /** True when other calls of the scenario are under way: to send it again later would show something else. */
    isOverlapping(): boolean;
    /** The same call met this outage before. */
    readonly before?: Exchange;
    /** The most time that its response may take, where that is not the usual one. */
    readonly responseMs?: number;
  };

/** Until when the calls of a scenario may take, on the clock of the check. It moves where time passes that is not the scenario's. */
export type Deadline = { endsAtMs: number };

/** `postponed`: the target wanted too long a wait before it serves the call, which says nothing of what it serves. */
export type Sent = {
  readonly exchange: Exchange;
  readonly postponed?: string;
  /** The response is that of an earlier call. */
  readonly isShared?: true;
};

/** Sends a call. Each concern is a wire around another one; `composeWire` shows them all. Throws what ends a scenario. */
export type Wire = (call: Call, deadline: Deadline) => Promise<Sent>;
