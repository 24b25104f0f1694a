import { brandedHeaders } from '../../../specs/src/index.ts';
import { outage, parseBody, readMember } from '../contract/evidence.ts';
import type { Evidence, Exchange } from '../contract/probe.ts';

/** True for 503 service_unavailable of the router, which the text calls transient (MR-CAT-57). */
export function isOutage({ api, result }: Exchange): boolean {
  return (
    api === 'router' &&
    result.kind === 'response' &&
    result.status === 503 &&
    readMember(result, '/error_type') === outage
  );
}

/** After this many outages in a row, the call counts as permanently unavailable and the last outage is reported as a finding. */
export const outagesInARow = 5;

/** Counts how many calls with the method and path of this one met an outage since the last that did not. */
export function countOutages({ request }: Exchange, log: Evidence): number {
  const { pathname } = new URL(request.url);
  const alike = log.filter(
    (one) => one.request.method === request.method && new URL(one.request.url).pathname === pathname,
  );
  return alike.length - 1 - alike.findLastIndex((one) => !isOutage(one));
}

const statusesOfProxies: ReadonlySet<number> = new Set([413, 431, 502, 503, 504]);
const routerHeaders = new RegExp(
  `^(?:x-.+-(?:${brandedHeaders.join('|')})|x-committed-spend-.+|idempotent-replayed)$`,
  'i',
);

/** True for a response of a proxy or load balancer in front of the service: it shows nothing of the service itself. */
export function isProxyPage({ result }: Exchange): boolean {
  return (
    result.kind === 'response' &&
    statusesOfProxies.has(result.status) &&
    parseBody(result).kind === 'malformed' &&
    !result.headers.some(([name]) => routerHeaders.test(name))
  );
}

/** True for a proxy page that reports a service that is down, and not a request that is too large. */
export function isDownPage(exchange: Exchange): boolean {
  return isProxyPage(exchange) && exchange.result.kind === 'response' && exchange.result.status >= 500;
}
