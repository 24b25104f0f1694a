import { closesAt, dispatchedAt, findPhase, hasClosed, type Run, wasBilled } from './run.ts';

/** An admitted run. Times in milliseconds. */
export type LedgerRun = {
  id: string;
  operation: Run['operation'];
  model: string;
  scope: string;
  /** Alias of the caller's credential. */
  credential: string;
  key: string | undefined;
  admittedAt: number;
  dispatchedAt: number | undefined;
  endedAt: number | undefined;
  /** Phase, `succeeded`, or error category. */
  outcome: string;
  billed: boolean;
  replays: number;
  clientDisconnected: boolean;
  servedBy: string;
  received: Run['received'];
};
/** Calls with one key. An idempotency key should prevent more than one `billed` run. */
export type LedgerKey = { scope: string; key: string; dispatches: number; billed: number; replays: number };
export type Ledger = {
  dispatches: number;
  billed: number;
  replays: number;
  clientDisconnects: number;
  keys: LedgerKey[];
  /** Oldest first. */
  runs: LedgerRun[];
};

/**
 * Runs stay in the ledger for a week, longer than their keys, so that it shows a second billed run with an expired key.
 */
export const ledgerLifetimeMs = 7 * 24 * 60 * 60 * 1000;

/** Counts every run, but only lists the newest `atMost`. */
export function readLedger(runs: Iterable<Run>, now: number, atMost: number = Number.POSITIVE_INFINITY): Ledger {
  const totals = { dispatches: 0, billed: 0, replays: 0, clientDisconnects: 0 };
  const keys = new Map<string, LedgerKey>();
  const entries: LedgerRun[] = [];
  for (const run of runs) {
    const entry = toEntry(run, now);
    const dispatches = entry.dispatchedAt === undefined ? 0 : 1;
    const billed = entry.billed ? 1 : 0;
    totals.dispatches += dispatches;
    totals.billed += billed;
    totals.replays += run.replays;
    totals.clientDisconnects += entry.clientDisconnected ? 1 : 0;
    if (run.key !== undefined) {
      const slot = `${run.scope} ${run.key}`;
      const sums = keys.get(slot) ?? { scope: run.scope, key: run.key, dispatches: 0, billed: 0, replays: 0 };
      sums.dispatches += dispatches;
      sums.billed += billed;
      sums.replays += run.replays;
      keys.set(slot, sums);
    }
    entries.push(entry);
    if (entries.length > 2 * atMost) entries.splice(0, entries.length - atMost);
  }
  const newest = atMost === 0 ? [] : entries.slice(-atMost);
  return { ...totals, keys: [...keys.values()], runs: newest };
}

function toEntry(run: Run, now: number): LedgerRun {
  const phase = findPhase(run, now);
  const sentAt = dispatchedAt(run);
  return {
    id: run.id,
    operation: run.operation,
    model: run.modelId,
    scope: run.scope,
    credential: run.alias,
    key: run.key,
    admittedAt: run.submittedAt,
    dispatchedAt: sentAt !== undefined && sentAt <= now ? sentAt : undefined,
    endedAt: hasClosed(run, now) ? closesAt(run) : undefined,
    outcome: phase.kind === 'ended' ? phase.errorType : phase.kind,
    billed: wasBilled(run, now),
    replays: run.replays,
    clientDisconnected: run.disconnectedAt !== undefined,
    servedBy: run.servedBy,
    received: run.received,
  };
}
