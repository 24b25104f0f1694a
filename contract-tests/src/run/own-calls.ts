import { NotApplicable, SetupFailure } from '../contract/endings.ts';
import type { Exchange, ScenarioRequest } from '../contract/exchange.ts';
import { prepareRequest } from '../wire/request.ts';
import type { Check } from './check.ts';

type OwnCall = {
  /** Name of the call in reports. */
  readonly name?: string;
  /** Rule to which a run counts, if the call may start one. */
  readonly ruleId?: string;
  /** Default: the deadline of a request, and time for retries if the target is busy. */
  readonly endsAtMs?: number;
};

const busyMs = 40_000;

/**
 * Sends a request of the engine itself, outside of any rule. Returns undefined if it was not sent: no such API or
 * credential is configured, or the time, the budget or the limit of responses is used up.
 */
export async function sendOnce(
  wanted: ScenarioRequest,
  check: Check,
  { name = 'discovery', ruleId = 'discovery', endsAtMs }: OwnCall = {},
): Promise<Exchange | undefined> {
  const { target, wire, log, limits, ports } = check;
  const nowMs = ports.clock.now();
  const deadline = { endsAtMs: endsAtMs ?? nowMs + limits.requestMs + busyMs };
  if (nowMs >= deadline.endsAtMs || log.explainFull() !== undefined) return undefined;
  try {
    const request = prepareRequest(target, wanted);
    const facts = { name, ruleId, wanted, request, purpose: {}, expectsRejection: false, flaw: ruleId };
    const { exchange, isLogged } = await wire({ ...facts, isOverlapping: () => false }, deadline);
    if (!isLogged) log.add(exchange);
    return exchange;
  } catch (error) {
    if (error instanceof SetupFailure || error instanceof NotApplicable) return undefined;
    throw error;
  }
}
