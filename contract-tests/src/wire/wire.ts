import type { Exchange, Ports, ScenarioRequest, WireRequest } from '../contract/exchange.ts';
import type { RuleId } from '../contract/rule.ts';
import type { CallPurpose } from '../contract/scenario.ts';

/** A call on its way to the target. */
export type Call = {
  readonly name: string;
  /** The rule that the scenario runs for. */
  readonly ruleId: RuleId;
  readonly wanted: ScenarioRequest;
  readonly request: WireRequest;
  readonly purpose: CallPurpose;
  readonly expectsRejection: boolean;
  /** Kind of flaw that the call's input shares with other calls. */
  readonly flaw: string;
  /** True if other calls of the scenario are in progress: repeating the call later would test something else. */
  isOverlapping(): boolean;
  /** Outage that the same call met before. */
  readonly before?: Exchange;
  /** Maximum time for its response, if it differs from the default. */
  readonly responseMs?: number;
};

/**
 * Deadline for a scenario's calls on the clock of the check. It is extended by time that doesn't count against the
 * scenario.
 */
export type Deadline = { endsAtMs: number };

export type Sent = {
  readonly exchange: Exchange;
  /** Set if the target requests too long a wait before it serves the call, which shows nothing about the response. */
  readonly postponed?: string;
  /** Set if the response is inconclusive for its rule, whose findings then don't count against the target. */
  readonly inconclusive?: string;
};

/**
 * Sends a call. Each concern is a wire around another one; `composeWire` combines them. Throws errors that end a
 * scenario.
 */
export type Wire = (call: Call, deadline: Deadline) => Promise<Sent>;

/**
 * Sends requests; every other wire calls this one. Waits for a response for `requestMs` or the call's own limit, and
 * never past the deadline.
 */
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
