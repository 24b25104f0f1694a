import type { Exchange, Ports, WireResponse } from '../contract/exchange.ts';
import type { Target } from '../contract/target.ts';
import { type RunBudget, spendFromBudget } from './budget.ts';
import { retryOutages, sendWithRetries } from './retries.ts';
import type { Call, ExchangeLog, Wire } from './wire.ts';

export type Wiring = {
  readonly target: Target;
  readonly ports: Ports;
  readonly limits: { readonly requestMs: number; readonly heldMs: number };
  readonly endsAtMs: number;
  readonly log: ExchangeLog;
  /** Only for a live target, because runs of other targets are free. */
  readonly runs: RunBudget | undefined;
  /** Responds in place of the target during a rehearsal. */
  readonly respond?: (call: Call) => WireResponse;
};

/** Combines the wires between a scenario and the target. The first one is the closest to the target. */
export function composeWire({ target, ports, limits, endsAtMs, log, runs, respond }: Wiring): Wire {
  const { clock } = ports;
  const { requestMs, heldMs } = limits;
  const isRejectedUnbilled = runs?.isRejectedUnbilled ?? (() => false);
  let wire = sendWithRetries({ target, ports, requestMs, log, isRejectedUnbilled, respond });
  if (runs !== undefined) wire = spendFromBudget(wire, { clock, runs, heldMs, endsAtMs });
  if (target.kind !== 'live') return wire;
  wire = retryOutages(wire, { clock, log });
  return shareRuns(wire);
}

/** Lets calls with the same `share` name and request share a run: the others get the first success, even if their keys differ. */
function shareRuns(next: Wire): Wire {
  const successes = new Map<string, Exchange>();
  return async (call, deadline) => {
    const { share } = call.purpose;
    if (share === undefined) return next(call, deadline);
    const { method, url, headers, body } = call.request;
    const lines = headers.map(([name, value]) => `${name}: ${/^idempotency-key$/i.test(name) ? '' : value}`);
    const id = [share, method, url, ...lines, new TextDecoder().decode(body)].join('\n');
    const known = successes.get(id);
    if (known !== undefined) return { exchange: known, isShared: true };
    const sent = await next(call, deadline);
    const { result } = sent.exchange;
    if (sent.postponed === undefined && result.kind === 'response' && result.status < 300)
      successes.set(id, sent.exchange);
    return sent;
  };
}
