import { memberOf } from '../contract/evidence.ts';
import type { Exchange } from '../contract/probe.ts';
import { performProbe, type Sender } from './perform.ts';
import { addressOf } from './wire-request.ts';

const atMost = 100;
const deadlineMs = 5_000;

/** Cancels what a live target has queued for this run and not been seen to complete. Best effort: it may have ended since. */
export async function cancelQueued(sender: Sender): Promise<void> {
  const { target, log, ports } = sender;
  if (target.kind !== 'live' || target.router === undefined) return;
  const base = target.router.url;
  const ended = new Set(log.exchanges.filter(hasEnded).map(({ request }) => new URL(request.url).pathname));
  for (const { request, url, statusPath } of log.exchanges.flatMap((one) => queuedBy(one, base)).slice(0, atMost)) {
    if (ended.has(statusPath)) continue;
    const credentials = request.headers.filter(([name]) => /^(?:x-api-key|authorization)$/i.test(name));
    const step = {
      name: 'cancel what is still queued',
      request: () => ({ api: 'router', method: 'PUT', to: url, credentials: [], headers: credentials }) as const,
      mayStayUnanswered: true,
    } as const;
    await performProbe([step], { ...sender, requestDeadlineMs: deadlineMs }, ports.clock.now() + deadlineMs);
  }
}

function hasEnded({ request, result }: Exchange): boolean {
  if (result.kind === 'no-response') return false;
  const isCancel = request.method === 'PUT' && request.url.endsWith('/cancel');
  if (isCancel) return false;
  return request.url.endsWith('/status') && (memberOf(result, '/status') === 'COMPLETED' || result.status === 410);
}

type Queued = { readonly request: Exchange['request']; readonly url: string; readonly statusPath: string };

function queuedBy({ api, request, result }: Exchange, base: string): readonly Queued[] {
  if (api !== 'router' || request.method !== 'POST' || result.kind === 'no-response' || result.status !== 201)
    return [];
  const [cancel, status] = ['/cancel_url', '/status_url'].map((pointer) => memberOf(result, pointer));
  if (typeof cancel !== 'string' || typeof status !== 'string') return [];
  if (![cancel, status].every((url) => /^https?:/.test(url) && URL.canParse(url))) return [];
  return [{ request, url: cancel, statusPath: new URL(addressOf(base, status).url).pathname }];
}
