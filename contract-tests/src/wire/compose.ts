import type { Ports } from '../contract/exchange.ts';
import type { Target } from '../contract/target.ts';
import { type RunBudget, spendFromBudget } from './budget.ts';
import { findInconclusive } from './inconclusive.ts';
import { type ExchangeLog, recordExchanges } from './recording.ts';
import { retryOutages, retryRefusals } from './retries.ts';
import { shareRuns } from './sharing.ts';
import { sendWithinDeadline, type Wire } from './wire.ts';

export type Wiring = {
  readonly target: Target;
  readonly ports: Ports;
  readonly limits: { readonly requestMs: number; readonly heldMs: number };
  readonly endsAtMs: number;
  readonly log: ExchangeLog;
  /** Only for a live target, because runs of other targets are free. */
  readonly runs: RunBudget | undefined;
};

/**
 * Combines everything that happens to a call between its scenario and the target, starting with the innermost wire.
 * `send`: replaces the target.
 */
export function composeWire({ target, ports, limits, endsAtMs, log, runs }: Wiring, send?: Wire): Wire {
  const { clock } = ports;
  let wire = send ?? sendWithinDeadline(ports, limits.requestMs);
  wire = retryRefusals(wire, { target, clock, log, isRejectedUnbilled: runs?.isRejectedUnbilled });
  if (runs !== undefined) wire = spendFromBudget(wire, { clock, runs, heldMs: limits.heldMs, endsAtMs });
  if (target.kind !== 'live') return recordExchanges(wire, log);
  wire = retryOutages(wire, { target, clock, log });
  wire = recordExchanges(wire, log);
  wire = findInconclusive(wire, { models: target.budget?.models ?? [], log });
  return shareRuns(wire);
}
