import { readMember } from '../contract/evidence.ts';
import type { Exchange, Step } from '../contract/probe.ts';
import type { Check } from './check.ts';
import { prepareRequest, send } from './send.ts';

type Sender = Pick<Check, 'target' | 'ports' | 'log' | 'limits' | 'runs'>;

const category = 'service_unavailable';

/** Asks for a read after a 503: a service that serves none either is out for every call. Waits for its end, within bounds. */
export async function probeOutage(
  step: Step,
  exchange: Exchange,
  { sender, endsAtMs }: { readonly sender: Sender; readonly endsAtMs: number },
): Promise<string | undefined> {
  if (exchange.request.method === 'GET' || !isOutage(exchange) || isScripted(step, exchange)) return undefined;
  const { target, ports, log, limits, runs } = sender;
  const seen = log.exchanges.length;
  const prepared = prepareRequest(target, { api: 'router', method: 'GET', to: '/v2/models?limit=1' });
  const read = await send(prepared, {
    step: 'whether reads are served',
    attempt: 1,
    ports,
    log,
    deadlineMs: limits.requestMs,
    endsAtMs,
    isScripted: () => false,
    isTurnedAway: runs.isTurnedAway,
  });
  log.add(read.exchange);
  const isMet = log.exchanges.slice(seen).some(isOutage);
  return isMet ? `step "${step.name}" met an outage of the service` : undefined;
}

function isOutage({ api, result }: Exchange): boolean {
  return (
    api === 'router' &&
    result.kind === 'response' &&
    result.status === 503 &&
    readMember(result, '/error_type') === category
  );
}

/** Whether an outage, or a failure of the workflow API, was asked for: then it is what the rule is about. */
export function isScripted({ script, toShow }: Pick<Step, 'script' | 'toShow'>, { result }: Exchange): boolean {
  if (script !== undefined && 'code' in script)
    return result.kind === 'response' && readMember(result, '/error/code') === script.code;
  const word = script !== undefined && 'error_type' in script ? script.error_type : toShow;
  return word === category && result.kind === 'response' && readMember(result, '/error_type') === word;
}
