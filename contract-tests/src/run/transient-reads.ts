import { headerOf } from '../contract/evidence.ts';
import type { Clock } from '../contract/ports.ts';
import type { Evidence, Exchange, ProbeRequest } from '../contract/probe.ts';
import type { ExchangeLog } from './exchange-log.ts';

/** Reads that were refused for the moment and sent again: the request, the status, and how often in the run. */
export type TransientRead = { readonly request: string; readonly status: number; readonly times: number };

const repeatsAtMost = 4;
/** A target that asks for more is taken at its word: its refusal is the answer. */
const longestWaitMs = 30_000;
const waitsOfRunMs = 120_000;
const firstWaitMs = 500;

export type Resending = {
  readonly send: () => Promise<Exchange>;
  readonly clock: Clock;
  readonly endsAtMs: number;
  /** Whether a call that may start a run was turned away without being billed. */
  readonly isTurnedAway: (exchange: Exchange) => boolean;
  /** What is sent again is added to it. */
  readonly log: ExchangeLog;
};

/**
 * Sends a request; a read that is refused with 429 or 503 is sent again after its `Retry-After` (MR-IDM-11, MR-CAT-57), a
 * bounded number of times. Calls that may start work are sent again only where they were turned away unbilled, as they are.
 */
export async function sendPatiently(wanted: ProbeRequest, resending: Resending): Promise<Exchange> {
  const { send, clock, endsAtMs, log, isTurnedAway } = resending;
  for (let repeats = 0; ; repeats += 1) {
    const exchange = await send();
    const waitMs =
      mayRepeat(wanted, exchange) || isTurnedAway(exchange)
        ? Math.max(hintedMs(exchange), firstWaitMs * 2 ** repeats)
        : undefined;
    if (waitMs === undefined || repeats === repeatsAtMost || waitMs > longestWaitMs) return exchange;
    if (clock.now() + waitMs >= endsAtMs || waitedMs(log.exchanges) + waitMs > waitsOfRunMs) return exchange;
    log.add({ ...exchange, repeatedAfterMs: waitMs });
    await clock.sleep(waitMs);
  }
}

/** A credential that is limited at all times shows what a limit looks like. */
function mayRepeat({ method, credentials }: ProbeRequest, { result }: Exchange): boolean {
  const isLimited = credentials?.some(({ who }) => who === 'rateLimited') === true;
  return method === 'GET' && !isLimited && result.kind === 'response' && [429, 503].includes(result.status);
}

/** `Retry-After` in milliseconds; 0 where it is absent or no number. */
function hintedMs({ result }: Exchange): number {
  const seconds = result.kind === 'response' ? headerOf(result, 'Retry-After')?.trim() : undefined;
  return seconds !== undefined && /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : 0;
}

function waitedMs(exchanges: Evidence): number {
  return exchanges.reduce((sum, { repeatedAfterMs = 0 }) => sum + repeatedAfterMs, 0);
}

export function transientReads(exchanges: Evidence): readonly TransientRead[] {
  const counted = new Map<string, TransientRead>();
  for (const { request, result, repeatedAfterMs } of exchanges) {
    if (repeatedAfterMs === undefined || result.kind === 'no-response') continue;
    const read = { request: `${request.method} ${request.url}`, status: result.status };
    const key = `${read.status} ${read.request}`;
    counted.set(key, { ...read, times: (counted.get(key)?.times ?? 0) + 1 });
  }
  return [...counted.values()];
}
