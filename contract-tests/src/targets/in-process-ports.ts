import type { Ports } from '../contract/ports.ts';
import type { Target } from '../contract/target.ts';
import { type Handle, inProcessExchanger, type MovableClock } from '../wire/in-process-exchanger.ts';
import { openHooks } from './test-hooks.ts';

/** Ports for a proof: every wait moves the target's clock instead of taking time. */
export function inProcessPorts(handle: Handle, clock: MovableClock, { hooks }: Pick<Target, 'hooks'>): Ports {
  const advance = (ms: number): void => clock.advance(ms);
  const exchange = inProcessExchanger(handle, advance);
  const ports = { exchange, clock: { now: () => clock.now(), sleep: (ms: number) => Promise.resolve(advance(ms)) } };
  if (hooks === undefined) return ports;
  // The clock stops between waits; each wait moves it.
  const { isStopped: _, ...moved } = openHooks(hooks, exchange);
  return { ...ports, hooks: moved };
}
