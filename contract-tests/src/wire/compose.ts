import type { Exchange } from '../contract/exchange.ts';
import { spendFromBudget } from './budget.ts';
import { retryTemporaryFailures } from './retries.ts';
import type { Wire, Wiring } from './wire.ts';

/** Combines the layers between a scenario and the target. The first layer is the closest to the target. */
export function composeWire(wiring: Wiring): Wire {
  let wire = sendToTarget(wiring);
  if (wiring.runs !== undefined) wire = spendFromBudget(wire, wiring, wiring.runs);
  wire = retryTemporaryFailures(wire, wiring);
  return wiring.target.kind === 'live' ? shareRuns(wire) : wire;
}

/** Sends a call once and waits for its response, never past the deadline. */
function sendToTarget({ ports, limits, respond }: Wiring): Wire {
  const { clock } = ports;
  return async (call, deadline) => {
    const { name: step, wanted, request, responseMs = limits.requestMs } = call;
    const { api, to, credentials } = wanted;
    const isAsGiven = to.startsWith('/') || new URL(to).href === request.url;
    const startedAtMs = clock.now();
    const withinMs = Math.min(responseMs, deadline.endsAtMs - startedAtMs);
    const result = respond?.(call) ?? (await ports.exchange(request, withinMs));
    const timing = { startedAtMs, durationMs: clock.now() - startedAtMs };
    const rebasedFrom = isAsGiven ? undefined : to;
    return { exchange: { step, attempt: 1, api, request, result, timing, credentials, rebasedFrom } };
  };
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
    if (shared !== undefined) return { exchange: shared, isLogged: true };
    const sent = await next(call, deadline);
    const { result } = sent.exchange;
    if (sent.postponed === undefined && result.kind === 'response' && result.status < 300)
      successes.set(id, sent.exchange);
    return sent;
  };
}
