import { NotApplicable } from '../contract/endings.ts';
import type { Evidence, Exchange } from '../contract/probe.ts';
import type { Wire } from './wire.ts';

/** The exchanges of a check, in the order of their ends. */
export type ExchangeLog = {
  readonly exchanges: Evidence;
  /** The reason why a check can send no more calls; undefined while it can. Large results are not a fault of the target. */
  whyFull(): string | undefined;
  add(exchange: Exchange): void;
};

export function openLog(onAdd: (exchange: Exchange) => void = () => undefined): ExchangeLog {
  const exchanges: Exchange[] = [];
  let bytes = 0;
  return {
    exchanges: exchanges as Evidence,
    whyFull: (): string | undefined =>
      bytes > heldAtMost ? `the responses of this check exceed ${heldAtMost} bytes together` : undefined,
    add: (exchange: Exchange): void => {
      const { request, result } = exchange;
      exchanges.push(exchange);
      // Bodies of requests are those of the rules, which hold them anyway.
      bytes += request.url.length;
      if (result.kind === 'response')
        bytes += result.headers.reduce((sum, line) => sum + line.join('').length, result.body.length);
      onAdd(exchange);
    },
  };
}

// Every response is kept until the end of the check.
const heldAtMost = 96 * 1024 * 1024;

/** Logs what came back. What is sent again is logged by the wire that does so. Throws `NotApplicable` when the log is full. */
export function recordExchanges(next: Wire, log: ExchangeLog): Wire {
  return async (call, deadline) => {
    const full = log.whyFull();
    if (full !== undefined) throw new NotApplicable(full);
    const sent = await next(call, deadline);
    log.add(sent.exchange);
    return sent;
  };
}
