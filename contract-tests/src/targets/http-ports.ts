import type { Exchanger, Ports } from '../contract/ports.ts';
import type { Target } from '../contract/target.ts';
import { createHttpExchange } from '../wire/http-exchanger.ts';
import { systemClock } from '../wire/system-clock.ts';
import { openHooks } from './test-hooks.ts';

/** Sends at most so many requests per second, evenly. */
function paced(exchange: Exchanger, maxRps: number | undefined): Exchanger {
  if (maxRps === undefined) return exchange;
  let nextMs = 0;
  return async (request, deadlineMs) => {
    const now = systemClock.now();
    const startsAtMs = Math.max(now, nextMs);
    nextMs = startsAtMs + 1_000 / maxRps;
    if (startsAtMs > now) await systemClock.sleep(startsAtMs - now);
    return exchange(request, deadlineMs);
  };
}

/** Ports for a target at an address: over HTTP with its TLS settings, unless `sent` says how. */
export function httpPorts(target: Target, sent?: Exchanger, maxRps?: number): Ports {
  const exchange = paced(sent ?? createHttpExchange(target.tls), maxRps);
  // Probes share the rate limits of a live target, so they run one by one there.
  const ports = { exchange, clock: systemClock, concurrency: target.kind === 'live' ? 1 : 4 };
  return target.hooks === undefined ? ports : { ...ports, hooks: openHooks(target.hooks, exchange, target.headers) };
}
