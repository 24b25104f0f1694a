import type { Exchange, Ports, ProbeRequest, WireRequest } from '../contract/probe.ts';
import type { RuleId } from '../contract/rule.ts';
import type { CallPurpose } from '../contract/scenario.ts';

/** A call on its way to the target. */
export type Call = {
  readonly name: string;
  /** The rule that its scenario is sent for. */
  readonly ruleId: RuleId;
  readonly wanted: ProbeRequest;
  readonly request: WireRequest;
  readonly purpose: CallPurpose;
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

/** The end of the time for a scenario's calls, on the clock of the check. It moves where time passes that is not the scenario's. */
export type Deadline = { endsAtMs: number };

export type Sent = {
  readonly exchange: Exchange;
  /** Set if the target requires too long a wait before it serves the call, which shows nothing of what it serves. */
  readonly postponed?: string;
  /** Set if the response shows nothing of what its rule is about: whatever the rule finds doesn't count against the target. */
  readonly inconclusive?: string;
};

/** Sends a call. Each concern is a wire around another one; `composeWire` shows them all. Throws what ends a scenario. */
export type Wire = (call: Call, deadline: Deadline) => Promise<Sent>;

/** The only place that sends. A response is awaited for `requestMs`, or as long as its call allows, and never past the deadline. */
export function sendWithinDeadline({ exchange, clock }: Ports, requestMs: number): Wire {
  return async ({ wanted, request, name, responseMs = requestMs }, { endsAtMs }) => {
    const startedAtMs = clock.now();
    const result = await exchange(request, Math.min(responseMs, endsAtMs - startedAtMs));
    const isAsGiven = wanted.to.startsWith('/') || new URL(wanted.to).href === request.url;
    return {
      exchange: {
        step: name,
        attempt: 1,
        api: wanted.api,
        request,
        result,
        timing: { startedAtMs, durationMs: clock.now() - startedAtMs },
        ...(wanted.credentials === undefined ? {} : { credentials: wanted.credentials }),
        ...(isAsGiven ? {} : { rebasedFrom: wanted.to }),
      },
    };
  };
}
