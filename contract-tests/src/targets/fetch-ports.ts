import { type FetchHandler, fetchExchanger } from '../adapters/fetch-exchanger.ts';
import type { Ports } from '../definitions/ports.ts';
import type { Target } from '../definitions/target.ts';
import { httpPorts } from './http-ports.ts';

/** Ports for a server in this process, in real time. Its hooks are asked through the same function. */
export function fetchPorts(target: Target, handler: FetchHandler): Ports {
  return { ...httpPorts(target, fetchExchanger(handler)), concurrency: 4 };
}
