import { httpExchange } from '../adapters/http-exchanger.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Exchanger, Ports } from '../definitions/ports.ts';
import type { Target } from '../definitions/target.ts';
import { openHooks } from './test-hooks.ts';

/** Ports for a target at an address. */
export function httpPorts(target: Target, exchange: Exchanger = httpExchange): Ports {
  // Probes share the rate limits of a live target, so they run one by one there.
  const ports = { exchange, clock: systemClock, concurrency: target.kind === 'live' ? 1 : 4 };
  return target.hooks === undefined ? ports : { ...ports, hooks: openHooks(target.hooks, exchange) };
}
