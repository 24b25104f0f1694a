import { readMember } from '../contract/evidence.ts';
import type { Evidence, Exchange } from '../contract/probe.ts';

/** A request that has ended has the status COMPLETED, whatever its end: COMPLETED is the only terminal state (MR-QUE-33). */
const terminal = /(?:cancell?ed|failed|failure|error|expired|aborted|rejected|timed_?out)$/i;

/** Why a queued request whose status is this will not become COMPLETED; undefined while it may. */
export function findDeadEnd(exchange: Exchange, log: Evidence): string | undefined {
  const status = readStatus(exchange);
  // Such as a result, where the URLs of the handle are mixed up.
  if (isOnRequest(exchange) && exchange.result.kind === 'response' && exchange.result.status === 200)
    if (typeof readMember(exchange.result, '/status') !== 'string') return 'is answered 200 without a status';
  if (exchange.result.kind !== 'response' || status === undefined || status === 'COMPLETED') return undefined;
  const error = readMember(exchange.result, '/error_type');
  if (typeof error === 'string') return `has the error_type ${error} and the status ${status}`;
  const words = new Set(log.flatMap((one) => readStatus(one) ?? []));
  words.delete('COMPLETED');
  // The two names beside COMPLETED are not given (OP-001), their number is.
  const isBeside = terminal.test(status) || [...words].indexOf(status) > 1;
  return isBeside ? `has the status ${status}, which is beside the three` : undefined;
}

const isOnRequest = ({ api, request }: Exchange): boolean => api === 'router' && request.url.includes('/requests');

function readStatus(exchange: Exchange): string | undefined {
  const { result } = exchange;
  if (!isOnRequest(exchange) || result.kind === 'no-response') return undefined;
  // Collect's 200 is the result of the model, whose members are its own.
  if (result.status > 202 || readMember(result, '/status_url') === undefined) return undefined;
  const status = readMember(result, '/status');
  return typeof status === 'string' ? status : undefined;
}
