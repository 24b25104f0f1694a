import { brandedHeaders } from '../../../specs/src/index.ts';
import { parseBody } from '../contract/evidence.ts';
import type { Exchange } from '../contract/exchange.ts';

const statusesOfProxies: ReadonlySet<number> = new Set([413, 431, 502, 503, 504]);
const routerHeaders = new RegExp(
  `^(?:x-.+-(?:${brandedHeaders.join('|')})|x-committed-spend-.+|idempotent-replayed)$`,
  'i',
);

/** True for a response from a proxy or load balancer in front of the service, which shows nothing about the service. */
export function isProxyPage({ result }: Exchange): boolean {
  return (
    result.kind === 'response' &&
    statusesOfProxies.has(result.status) &&
    parseBody(result).kind === 'malformed' &&
    !result.headers.some(([name]) => routerHeaders.test(name))
  );
}

/** True for a proxy page about an unavailable service; false for one about a request that is too large. */
export function isDownPage(exchange: Exchange): boolean {
  return isProxyPage(exchange) && exchange.result.kind === 'response' && exchange.result.status >= 500;
}
