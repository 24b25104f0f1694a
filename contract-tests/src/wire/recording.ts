import { NotApplicable } from '../contract/endings.ts';
import type { Evidence, Exchange } from '../contract/exchange.ts';
import type { Wire } from './wire.ts';

/** Exchanges of a check, in order of completion. */
export type ExchangeLog = {
  readonly exchanges: Evidence;
  /**
   * Returns the reason why a check can send no more calls; otherwise undefined. Large results are not a fault of the
   * target.
   */
  explainFull(): string | undefined;
  add(exchange: Exchange): void;
};

export function openLog(onAdd: (exchange: Exchange) => void = () => undefined): ExchangeLog {
  const exchanges: Exchange[] = [];
  let bytes = 0;
  return {
    exchanges: exchanges as Evidence,
    explainFull: (): string | undefined =>
      bytes > heldAtMost ? `the responses of this check exceed ${heldAtMost} bytes together` : undefined,
    add: (exchange: Exchange): void => {
      const { request, result } = exchange;
      exchanges.push(exchange);
      // Rules keep the bodies of requests in memory anyway.
      bytes += request.url.length;
      if (result.kind === 'response')
        bytes += result.headers.reduce((sum, line) => sum + line.join('').length, result.body.length);
      onAdd(exchange);
    },
  };
}

// Every response is kept in memory until the end of the check.
const heldAtMost = 96 * 1024 * 1024;

/** Logs responses. The retry wires log the calls that they repeat. Throws `NotApplicable` if the log is full. */
export function recordExchanges(next: Wire, log: ExchangeLog): Wire {
  return async (call, deadline) => {
    const full = log.explainFull();
    if (full !== undefined) throw new NotApplicable(full);
    const sent = await next(call, deadline);
    log.add(sent.exchange);
    return sent;
  };
}
