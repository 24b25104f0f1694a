import type { Exchange, WireRequest } from '../contract/exchange.ts';
import type { Wire } from './wire.ts';

/** Lets calls with the same name and request share a run: the first success answers the others, whatever their keys. */
export function shareRuns(next: Wire): Wire {
  const successes = new Map<string, Exchange>();
  return async (call, deadline) => {
    const { share } = call.purpose;
    if (share === undefined) return next(call, deadline);
    const id = `${share} ${describeCall(call.request)}`;
    const known = successes.get(id);
    if (known !== undefined) return { exchange: known };
    const sent = await next(call, deadline);
    const { result } = sent.exchange;
    if (sent.postponed === undefined && result.kind === 'response' && result.status < 300)
      successes.set(id, sent.exchange);
    return sent;
  };
}

/** Describes the properties that calls must share to use one run: everything except the key's value. */
function describeCall({ method, url, headers, body }: WireRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${/^idempotency-key$/i.test(name) ? '' : value}`);
  return [method, url, ...lines, new TextDecoder().decode(body)].join('\n');
}
