import type { Exchanger, Ports } from '../contract/probe.ts';
import type { Target } from '../contract/target.ts';
import { createHttpExchange } from '../wire/http-exchanger.ts';
import {
  type FetchHandler,
  fetchExchanger,
  type Handle,
  inProcessExchanger,
  type MovableClock,
} from '../wire/in-process-exchanger.ts';
import { systemClock } from '../wire/system-clock.ts';
import { openHooks } from './test-hooks.ts';

/** Ports for a target at an address: over HTTP with its TLS settings. `maxRps`: the most requests per second. */
export function httpPorts(target: Target, maxRps?: number): Ports {
  // Probes share the rate limits of a live target, so they run one by one there.
  return realTimePorts(target, paced(createHttpExchange(target.tls), maxRps), target.kind === 'live' ? 1 : 4);
}

/** Ports for a server in this process, in real time. Its hooks are asked through the same function. */
export function fetchPorts(target: Target, handler: FetchHandler): Ports {
  return realTimePorts(target, fetchExchanger(handler), 4);
}

function realTimePorts({ hooks, headers }: Target, exchange: Exchanger, concurrency: number): Ports {
  const ports = { exchange, clock: systemClock, concurrency };
  return hooks === undefined ? ports : { ...ports, hooks: openHooks(hooks, exchange, headers) };
}

/** Ports for a proof: every wait moves the target's clock instead of taking time. */
export function inProcessPorts(handle: Handle, clock: MovableClock, { hooks }: Pick<Target, 'hooks'>): Ports {
  const exchange = inProcessExchanger(handle, (ms) => clock.advance(ms));
  const ports = { exchange, clock: { now: () => clock.now(), sleep: async (ms: number) => clock.advance(ms) } };
  if (hooks === undefined) return ports;
  // The clock stops between waits; each wait moves it.
  const { isStopped: _, ...moved } = openHooks(hooks, exchange);
  return { ...ports, hooks: moved };
}

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
