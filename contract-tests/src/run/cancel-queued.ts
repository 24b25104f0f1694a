import { memberOf } from '../contract/evidence.ts';
import type { CredentialUse, Exchange } from '../contract/probe.ts';
import { performProbe, type Sender } from './perform.ts';
import { resolveAddress } from './send.ts';

/** A request that waits at the target, and who sent it. */
export type Queued = {
  readonly url: string;
  readonly statusPath: string;
  readonly credentials?: readonly CredentialUse[];
};

const atMost = 100;
const deadlineMs = 5_000;

/** Cancels what waits at a live target and was not seen to complete. Best effort: it may have ended since. */
export async function cancelQueued(queued: readonly Queued[], sender: Sender): Promise<void> {
  const ended = new Set(sender.log.exchanges.filter(hasEnded).map(({ request }) => new URL(request.url).pathname));
  for (const { url, statusPath, credentials } of queued.slice(0, atMost)) {
    if (ended.has(statusPath)) continue;
    const request = { api: 'router', method: 'PUT', to: url, deadlineMs, ...(credentials && { credentials }) } as const;
    const step = { name: 'cancel what is still queued', request: () => request, mayStayUnanswered: true } as const;
    await performProbe([step], sender, { endsAtMs: sender.ports.clock.now() + deadlineMs });
  }
}

function hasEnded({ request, result }: Exchange): boolean {
  if (result.kind === 'no-response' || !request.url.endsWith('/status')) return false;
  return memberOf(result, '/status') === 'COMPLETED' || result.status === 410;
}

/** What an exchange has queued at the router of this address. */
export function queuedBy({ api, request, result, credentials }: Exchange, base: string): Queued | undefined {
  const isSubmission = api === 'router' && request.method === 'POST';
  if (!isSubmission || result.kind === 'no-response' || result.status !== 201) return undefined;
  const [url, status] = ['/cancel_url', '/status_url'].map((pointer) => memberOf(result, pointer));
  if (typeof url !== 'string' || typeof status !== 'string') return undefined;
  if (![url, status].every((one) => /^https?:/.test(one) && URL.canParse(one))) return undefined;
  const statusPath = new URL(resolveAddress(base, status).url).pathname;
  return { url, statusPath, ...(credentials && { credentials }) };
}
