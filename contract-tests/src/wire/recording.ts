import { NotApplicable } from '../contract/endings.ts';
import type { ExchangeLog } from './log.ts';
import type { Wire } from './wire.ts';

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
