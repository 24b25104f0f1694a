import { HarnessError } from '../definitions/errors.ts';
import type { Exchange, NoResponse, ProbeRequest } from '../definitions/probe.ts';
import type { ApiName } from '../definitions/target.ts';
import { performProbe, type Sender } from './perform.ts';

export type Reachability = { readonly kind: 'reachable' } | { readonly kind: 'unreachable'; readonly because: string };

/** Sends the cheapest request of each API that the target offers. */
export async function checkReachability(sender: Sender): Promise<Reachability> {
  const offered = (['router', 'workflow'] as const).filter((api) => sender.target[api] !== undefined);
  if (offered.length === 0) throw new HarnessError('the target offers neither API');
  for (const api of offered) {
    const because = await whyUnreachable(api, sender);
    if (because !== undefined) return { kind: 'unreachable', because };
  }
  return { kind: 'reachable' };
}

/** Why an API does not respond at all; undefined when it responds, with whatever status. */
export async function whyUnreachable(api: ApiName, sender: Sender): Promise<string | undefined> {
  const to =
    api === 'router' ? '/v2/models?limit=1' : `/api/v2/jobs/${sender.target.workflow?.jobs.save ?? 'unknown'}/workflow`;
  const anonymous = sender.target[api]?.credentials.main === undefined ? { credentials: [] } : {};
  const exchange = await sendOnce({ api, method: 'GET', to, ...anonymous }, sender);
  if (exchange?.result.kind !== 'no-response') return undefined;
  const { because, detail } = exchange.result;
  return `${exchange.request.method} ${exchange.request.url}: ${detail} (${advice[because]})`;
}

/** One request outside any rule. Undefined when it could not be built (no credential, no such API). */
export async function sendOnce(wanted: ProbeRequest, sender: Sender): Promise<Exchange | undefined> {
  // Time for the request, and for its repetitions should the target be busy.
  const endsAtMs = sender.ports.clock.now() + sender.requestDeadlineMs + busyMs;
  const step = { name: 'discovery', request: () => wanted, mayStayUnanswered: true } as const;
  const { evidence } = await performProbe([step], sender, endsAtMs);
  return evidence.at(-1);
}

const busyMs = 40_000;

/** What to look at next, by the reason for the missing response. */
const advice: Readonly<Record<NoResponse['because'], string>> = {
  refused: 'does the target run, and is the port right?',
  unresolved: 'is the host name right?',
  tls: 'does the target speak https, with a certificate that is known here?',
  malformed: 'does the target speak HTTP/1.1, and not https?',
  reset: 'does the target speak http at this port, and did it keep running?',
  timeout: 'is the target overloaded, or is something else at this port?',
  'too-large': 'is this the base address of the API?',
};
