import { readMember } from '../contract/evidence.ts';
import type { CredentialUse, Evidence, Exchange } from '../contract/probe.ts';
import { modelPath } from '../contract/steps.ts';
import type { Target } from '../contract/target.ts';

/** Callers who are let in where the model and the operation are open to them. */
const callers: ReadonlySet<CredentialUse['who']> = new Set(['main', 'colleague', 'neighbour', 'solo']);
/** Callers who are refused for what they lack; whether the operation is open shows by `main`. */
const lacking: ReadonlySet<CredentialUse['who']> = new Set(['noCredits', 'spendCapped']);
const words: ReadonlySet<unknown> = new Set(['forbidden', 'not_enabled']);

/**
 * Why the 403 to a call of a named model shows nothing more: its caller may not use the operation, by all that the check has seen.
 * Undefined where one of that caller's calls has succeeded.
 */
export function whyBarred(exchange: Exchange, { budget }: Target, log: Evidence): string | undefined {
  const who = readCaller(exchange);
  if (!isForbidden(exchange) || !(callers.has(who) || lacking.has(who))) return undefined;
  const { pathname } = new URL(exchange.request.url);
  const ids = (budget?.models ?? []).map(({ id }) => modelPath(id));
  if (!ids.some((path) => pathname.endsWith(path) || pathname.endsWith(`${path}/requests`))) return undefined;
  const judge = lacking.has(who) ? 'main' : who;
  const calls = log.filter((one) => readCaller(one) === judge && isSameCall(one, exchange));
  if (!calls.some(isForbidden) || calls.some(hasSucceeded)) return undefined;
  return `the credential "${who}" may not use POST ${pathname}, by the 403 of the target`;
}

function readCaller({ credentials }: Exchange): CredentialUse['who'] {
  return credentials === undefined ? 'main' : (credentials[0]?.who ?? 'empty');
}

function isForbidden({ request, result }: Exchange): boolean {
  if (request.method !== 'POST' || result.kind === 'no-response' || result.status !== 403) return false;
  return words.has(readMember(result, '/error_type'));
}

function hasSucceeded({ result }: Exchange): boolean {
  return result.kind === 'response' && result.status < 300;
}

function isSameCall({ request }: Exchange, other: Exchange): boolean {
  return (
    request.method === other.request.method && new URL(request.url).pathname === new URL(other.request.url).pathname
  );
}
