import type { Exchange } from '../contract/exchange.ts';
import { spendFromBudget } from './budget.ts';
import { retryOutages, sendWithRetries } from './retries.ts';
import type { Wire, Wiring } from './wire.ts';

/** Combines the layers between a scenario and the target. The first layer is the closest to the target. */
export function composeWire(wiring: Wiring): Wire {
  let wire = sendWithRetries(wiring);
  if (wiring.runs !== undefined) wire = spendFromBudget(wire, wiring, wiring.runs);
  return wiring.target.kind === 'live' ? shareRuns(retryOutages(wire, wiring)) : wire;
}

/** Lets calls with the same `share` name and request share a run: later calls get its response, even with other keys. */
function shareRuns(next: Wire): Wire {
  const successes = new Map<string, Exchange>();
  return async (call, deadline) => {
    const { share } = call.purpose;
    if (share === undefined) return next(call, deadline);
    const { method, url, headers, body } = call.request;
    const lines = headers.map(([name, value]) => `${name}: ${/^idempotency-key$/i.test(name) ? '' : value}`);
    const id = [share, method, url, ...lines, new TextDecoder().decode(body)].join('\n');
    const shared = successes.get(id);
    if (shared !== undefined) return { exchange: shared, isShared: true };
    const sent = await next(call, deadline);
    const { result } = sent.exchange;
    if (sent.postponed === undefined && result.kind === 'response' && result.status < 300)
      successes.set(id, sent.exchange);
    return sent;
  };
}
