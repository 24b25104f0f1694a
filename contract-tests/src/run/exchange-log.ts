import type { Evidence, Exchange } from '../contract/probe.ts';

/** Every exchange of a run in the order in which they end, and how many bytes they hold together. */
export type ExchangeLog = {
  readonly exchanges: Evidence;
  readonly heldBytes: () => number;
  add(exchange: Exchange): void;
};

/** `earlier`: those of the same run before its process was replaced. */
export function openLog(earlier: Evidence = [], onAdd: (exchange: Exchange) => void = () => undefined): ExchangeLog {
  const exchanges = [...earlier];
  let bytes = exchanges.reduce((sum, exchange) => sum + sizeOf(exchange), 0);
  return {
    exchanges,
    heldBytes: () => bytes,
    add: (exchange) => {
      exchanges.push(exchange);
      bytes += sizeOf(exchange);
      onAdd(exchange);
    },
  };
}

function sizeOf({ request, result }: Exchange): number {
  const sent = request.url.length + (request.body?.length ?? 0);
  if (result.kind === 'no-response') return sent;
  return result.headers.reduce((sum, [name, value]) => sum + name.length + value.length, sent + result.body.length);
}
