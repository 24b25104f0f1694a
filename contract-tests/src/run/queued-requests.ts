import { readMember } from '../contract/evidence.ts';
import type { Exchange, ScenarioRequest } from '../contract/exchange.ts';
import type { Target } from '../contract/target.ts';
import { resolveUrl } from '../wire/request.ts';
import { sendOwnCall } from '../wire/send.ts';
import type { Check } from './check.ts';

/** A request that this check submitted: its URL for cancelling it, the path of its status, and its caller. */
export type QueuedRequest = Pick<Exchange, 'credentials'> & { readonly url: string; readonly statusPath: string };

/** Returns the request of a successful submission to a live target; undefined for any other exchange. */
export function readQueuedRequest(
  { api, request, result, credentials }: Exchange,
  target: Target,
): QueuedRequest | undefined {
  const isSubmission = api === 'router' && request.method === 'POST';
  if (target.kind !== 'live' || target.router === undefined) return undefined;
  if (!isSubmission || result.kind === 'no-response' || result.status !== 201) return undefined;
  const [url, status] = ['/cancel_url', '/status_url'].map((pointer) => readMember(result, pointer));
  if (typeof url !== 'string' || typeof status !== 'string') return undefined;
  if (![url, status].every((one) => /^https?:/.test(one) && URL.canParse(one))) return undefined;
  const statusPath = new URL(resolveUrl(target.router.url, status)).pathname;
  return { url, statusPath, credentials };
}

const maxCancelled = 100;
const cancelWithinMs = 5_000;

/** Cancels requests unless a status showed their end. Ignores failures, because a request may have ended since. */
export async function cancelQueuedRequests(queued: readonly QueuedRequest[], check: Check): Promise<void> {
  const ended = new Set(
    check.log.exchanges.flatMap(({ request, result }) => {
      if (result.kind === 'no-response' || !request.url.endsWith('/status')) return [];
      const hasEnded = readMember(result, '/status') === 'COMPLETED' || result.status === 410;
      return hasEnded ? new URL(request.url).pathname : [];
    }),
  );
  for (const { url, statusPath, credentials } of queued.slice(0, maxCancelled)) {
    if (ended.has(statusPath)) continue;
    const request: ScenarioRequest = { api: 'router', method: 'PUT', to: url, credentials };
    const endsAtMs = check.ports.clock.now() + cancelWithinMs;
    await sendOwnCall(request, check, { name: 'cancel what is still queued', endsAtMs });
  }
}

const maxAwaited = 20;
const awaitedWithinMs = 20_000;
const pollMs = 250;
/** Time from the end of the last call until its reserved spend is released, in milliseconds. */
const releasedMs = 1_100;

/**
 * Cancels requests that this check left in the queue of a live target. If the target has no other callers, also waits
 * for them to end and repeats the first keyed run: its replay shows how much spend is still reserved.
 */
export async function finishQueuedRequests(check: Check): Promise<void> {
  const { target, log, ports } = check;
  // Requests in recorded traffic belong to other programs.
  const queued = check.isRecorded ? [] : log.exchanges.flatMap((exchange) => readQueuedRequest(exchange, target) ?? []);
  await cancelQueuedRequests(queued, check);
  const first = log.exchanges.find(({ request, result, credentials }) => {
    const isKeyed = request.headers.some(([name]) => name === 'Idempotency-Key');
    const isRun = request.method === 'POST' && !request.url.endsWith('/requests') && !request.url.includes('?');
    return isRun && isKeyed && credentials === undefined && result.kind === 'response' && result.status === 200;
  });
  if (target.kind !== 'live' || target.stated?.exclusive !== true || first === undefined) return;
  const endsAtMs = Math.min(check.endsAtMs, ports.clock.now() + awaitedWithinMs);
  for (const { url, statusPath, credentials } of queued.slice(0, maxAwaited)) {
    const to = new URL(statusPath, url).href;
    const request: ScenarioRequest = { api: 'router', method: 'GET', to, credentials };
    for (let isPending = true; isPending && ports.clock.now() < endsAtMs; ) {
      const result = (await sendOwnCall(request, check, { name: 'end of a request', endsAtMs }))?.result;
      const status = result?.kind === 'response' && result.status === 200 ? readMember(result, '/status') : undefined;
      isPending = typeof status === 'string' && status !== 'COMPLETED';
      if (isPending) await ports.clock.sleep(pollMs);
    }
  }
  const { url: to, headers, body: bytes } = first.request;
  const key = headers.filter(([name]) => name === 'Idempotency-Key');
  const body = bytes && ({ kind: 'bytes', bytes, mediaType: 'application/json' } as const);
  const replayed: ScenarioRequest = { api: 'router', method: 'POST', to, headers: key, body };
  await ports.clock.sleep(releasedMs);
  await sendOwnCall(replayed, check, { name: 'replay of the first run', endsAtMs: check.endsAtMs });
}
