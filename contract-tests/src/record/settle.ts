import { readMember } from '../contract/evidence.ts';
import type { Exchange, ProbeRequest } from '../contract/probe.ts';
import { scenario } from '../contract/scenario.ts';
import type { Check } from '../run/check.ts';
import { type Sender, untilCompleted } from '../run/client.ts';
import { runScenario } from '../run/engine.ts';
import { type CheckRecord, listQueued, type Queued } from './record.ts';

const cancelledAtMost = 100;
const cancelWithinMs = 5_000;

/** Cancels what waits at a live target and was not seen to complete. Best effort: it may have ended since. */
export async function cancelQueued(queued: readonly Queued[], sender: Sender): Promise<void> {
  const { clock } = sender.ports;
  const ended = new Set(sender.log.exchanges.filter(hasEnded).map(({ request }) => new URL(request.url).pathname));
  for (const { url, statusPath, credentials } of queued.slice(0, cancelledAtMost)) {
    if (ended.has(statusPath)) continue;
    const request: ProbeRequest = { api: 'router', method: 'PUT', to: url, ...(credentials && { credentials }) };
    const cancel = scenario({}, async ({ trySend }) => ({
      cancelled: await trySend(request, { name: 'cancel what is still queued' }),
    }));
    const limits = { ...sender.limits, requestMs: cancelWithinMs };
    const deadline = { endsAtMs: clock.now() + cancelWithinMs };
    await runScenario(cancel, { ...sender, limits }, { deadline, ruleId: 'discovery', cost: 'billed' });
  }
}

const settledAtMost = 20;
const settledWithinMs = 20_000;
/** So long after another call what it has reserved is free again. */
const releasedMs = 1_100;

/**
 * Cancels what is still queued. If the owner states that the target has no other callers, also waits for its end and
 * repeats the first run with a key: its replay shows what spend is reserved when nothing is under way.
 */
export async function settle(record: CheckRecord, check: Check): Promise<void> {
  const queued = listQueued(record);
  await cancelQueued(queued, check);
  const first = check.log.exchanges.find(isFirstRun);
  const { kind, stated } = check.target;
  if (kind !== 'live' || stated?.exclusive !== true || first === undefined) return;
  const endsAtMs = Math.min(check.endsAtMs, check.ports.clock.now() + settledWithinMs);
  for (const { url, statusPath, credentials } of queued.slice(0, settledAtMost)) {
    const to = new URL(statusPath, url).href;
    const request: ProbeRequest = { api: 'router', method: 'GET', to, ...(credentials && { credentials }) };
    const end = scenario({}, async ({ repeat, send }) => ({
      end: await repeat(() => send(request, { name: 'end of a request' }), untilCompleted),
    }));
    await runScenario(end, check, { deadline: { endsAtMs }, ruleId: 'discovery', cost: 'billed' });
  }
  const { url, headers, body } = first.request;
  const replayed: ProbeRequest = {
    api: 'router',
    method: 'POST',
    to: url,
    headers: headers.filter(([name]) => name === 'Idempotency-Key'),
    ...(body && { body: { kind: 'bytes', bytes: body, mediaType: 'application/json' } }),
  };
  const replay = scenario({}, async ({ after, trySend }) => ({
    replay: await after(releasedMs, () => trySend(replayed, { name: 'replay of the first run' })),
  }));
  const ruleId = 'trace.spend.is-free-when-calls-have-ended';
  await runScenario(replay, check, { deadline: { endsAtMs: check.endsAtMs }, ruleId, cost: 'billed' });
}

function isFirstRun({ request, result, credentials }: Exchange): boolean {
  const isKeyed = request.headers.some(([name]) => name === 'Idempotency-Key');
  const isRun = request.method === 'POST' && !request.url.endsWith('/requests') && !request.url.includes('?');
  return isRun && isKeyed && credentials === undefined && result.kind === 'response' && result.status === 200;
}

function hasEnded({ request, result }: Exchange): boolean {
  if (result.kind === 'no-response' || !request.url.endsWith('/status')) return false;
  return readMember(result, '/status') === 'COMPLETED' || result.status === 410;
}
