import type { Ports } from '../contract/ports.ts';
import type { Target } from '../contract/target.ts';
import { type FetchHandler, fetchExchanger } from '../wire/fetch-exchanger.ts';
import { httpPorts } from './http-ports.ts';

/** Ports for a server in this process, in real time. Its hooks are asked through the same function. */
export function fetchPorts(target: Target, handler: FetchHandler): Ports {
  return { ...httpPorts(target, fetchExchanger(handler)), concurrency: 4 };
}
