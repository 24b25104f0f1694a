import type { Ports } from '../contract/probe.ts';
import type { Target } from '../contract/target.ts';
import { spendFromBudget } from './budget.ts';
import { sendWithinDeadline } from './deadline.ts';
import type { ExchangeLog } from './log.ts';
import { waitOutOutages } from './outages.ts';
import { recordExchanges } from './recording.ts';
import { waitOutRefusals } from './retries.ts';
import type { RunBudget } from './run-budget.ts';
import { shareRuns } from './sharing.ts';
import type { Wire } from './wire.ts';

export type Wiring = {
  readonly target: Target;
  readonly ports: Pick<Ports, 'exchange' | 'clock'>;
  readonly limits: { readonly requestMs: number; readonly heldMs: number };
  readonly endsAtMs: number;
  readonly log: ExchangeLog;
  readonly runs: RunBudget;
};

/** All that happens to a call between its scenario and the target, from the outside in; `send`: in place of the target. */
export function composeWire({ target, ports, limits, endsAtMs, log, runs }: Wiring, send?: Wire): Wire {
  const { clock } = ports;
  const socket = send ?? sendWithinDeadline(ports, limits.requestMs);
  const patient = waitOutRefusals(socket, { target, clock, log, isTurnedAway: runs.isTurnedAway });
  const paid = spendFromBudget(patient, { target, clock, runs, heldMs: limits.heldMs, endsAtMs });
  const steady = waitOutOutages(paid, { target, clock, log });
  const recorded = recordExchanges(steady, log);
  // On other targets each scenario has runs of its own.
  return target.kind === 'live' ? shareRuns(recorded) : recorded;
}
