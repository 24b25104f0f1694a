import type { Exchange, NoResponse, ProbeRequest } from '../probe.ts';
import type { ApiName, Target } from '../target.ts';
import { performProbe, type Sender } from './perform.ts';

/** One request outside any rule. Undefined when it could not even be built (no credential, no such API). */
export async function ask(wanted: ProbeRequest, sender: Sender): Promise<Exchange | undefined> {
  const endsAtMs = sender.ports.clock.now() + sender.requestDeadlineMs + 1;
  const step = { name: 'survey', request: () => wanted, mayStayUnanswered: true } as const;
  const { evidence } = await performProbe({ steps: [step] }, sender, endsAtMs);
  return evidence.at(-1);
}

/** Why an API gives no answer at all, or undefined when it gives any. */
export async function reach(api: ApiName, sender: Sender): Promise<string | undefined> {
  const exchange = await ask(greetingOf(api, sender.target), sender);
  if (exchange?.result.kind !== 'no-response') return undefined;
  const { because, detail } = exchange.result;
  return `${exchange.request.method} ${exchange.request.url}: ${detail} (${advice[because]})`;
}

/** What to look at next, by the kind of silence. */
const advice: Readonly<Record<NoResponse['because'], string>> = {
  refused: 'does the target run, and is the port right?',
  unresolved: 'is the host name right?',
  tls: 'does the target speak https, with a certificate that is known here?',
  malformed: 'does the target speak HTTP/1.1, and not https?',
  reset: 'does the target speak http at this port, and did it keep running?',
  timeout: 'is the target overloaded, or is something else at this port?',
  'too-large': 'is this the base address of the API?',
};

/** The cheapest request of each API. */
function greetingOf(api: ApiName, target: Target): ProbeRequest {
  const credentials = target[api]?.credentials.main === undefined ? ([] as const) : undefined;
  const to =
    api === 'router' ? '/v2/models?limit=1' : `/api/v2/jobs/${target.workflow?.jobs.save ?? 'unknown'}/workflow`;
  return { api, method: 'GET', to, ...(credentials === undefined ? {} : { credentials }) };
}
