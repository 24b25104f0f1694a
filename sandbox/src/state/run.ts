/** A run of an accepted call. Its response is decided when the call is accepted, so its state only depends on the clock. Times in ms. */
export type Run = {
  /** Also the request id of a queued run. */
  id: string;
  operation: 'run' | 'submit';
  modelId: string;
  scope: string;
  alias: string;
  key: string | undefined;
  submittedAt: number;
  startsAt: number;
  endsAt: number;
  /** Time at which a queued run times out if it has not started. */
  timesOutAt: number | undefined;
  /** Error category of a failed run. */
  errorType: string | undefined;
  isBilled: boolean;
  /** Provider that responded; `received` has the digest of the body that each provider received. */
  servedBy: string;
  received: readonly { provider: string; bytes: number; sha256: string }[];
  /** Time at which a requested cancellation takes effect. */
  cancelledAt: number | undefined;
  replays: number;
  /** Time at which the caller disconnected before the response. */
  disconnectedAt: number | undefined;
};

export type Phase = { kind: 'waiting' | 'running' | 'cancelling' | 'succeeded' } | { kind: 'ended'; errorType: string };

/** How long a result can be collected, in milliseconds. Undocumented (OP-021). */
export const runLifetimeMs = 24 * 60 * 60 * 1000;

/** Returns the phase of a run. The API reports both `succeeded` and `ended` as COMPLETED, which is final (MR-QUE-17, MR-QUE-33). */
export function findPhase(run: Run, now: number): Phase {
  if (run.cancelledAt !== undefined && now >= run.cancelledAt) return { kind: 'ended', errorType: 'cancelled' };
  if (timesOutInQueue(run)) {
    return now >= findQueueEnd(run) ? { kind: 'ended', errorType: 'queue_timeout' } : { kind: 'waiting' };
  }
  if (now >= run.endsAt) {
    return run.errorType === undefined ? { kind: 'succeeded' } : { kind: 'ended', errorType: run.errorType };
  }
  if (run.cancelledAt !== undefined) return { kind: 'cancelling' };
  return { kind: now >= run.startsAt ? 'running' : 'waiting' };
}

/** Returns when the run is sent to its provider; undefined if it times out or is cancelled before that (MR-CTG-23). */
export function findDispatchTime(run: Run): number | undefined {
  if (timesOutInQueue(run)) return undefined;
  return run.cancelledAt !== undefined && run.cancelledAt < run.startsAt ? undefined : run.startsAt;
}

/** Returns when the run ends: by its result, failure, timeout or cancellation. */
export function findCloseTime(run: Run): number {
  if (run.cancelledAt !== undefined) return run.cancelledAt;
  return timesOutInQueue(run) ? findQueueEnd(run) : run.endsAt;
}

export function hasClosed(run: Run, now: number): boolean {
  return now >= findCloseTime(run);
}

/** True if the run was billed. A run is billed if it finished, even if a cancellation came too late (MR-CAN-12). */
export function wasBilled(run: Run, now: number): boolean {
  return run.isBilled && now >= run.endsAt && findDispatchTime(run) !== undefined && run.cancelledAt === undefined;
}

/** Cancels a run: at once if it still waits; after `cancellingMs` if it runs and does not end before that (MR-CAN-11, MR-CAN-13). */
export function cancelRun(run: Run, cancellingMs: number, now: number): Run {
  if (hasClosed(run, now) || run.cancelledAt !== undefined) return run;
  const at = findPhase(run, now).kind === 'waiting' ? now : now + cancellingMs;
  return at < findCloseTime(run) ? { ...run, cancelledAt: at } : run;
}

export function measureTimeToNextPhase(run: Run, now: number): number {
  const next = findPhase(run, now).kind === 'waiting' ? findQueueEnd(run) : findCloseTime(run);
  return Math.max(0, next - now);
}

export function hasExpired(run: Run, now: number): boolean {
  return now >= run.submittedAt + runLifetimeMs;
}

/** True if the run times out before it starts. */
function timesOutInQueue(run: Run): boolean {
  return run.timesOutAt !== undefined && run.timesOutAt <= run.startsAt;
}

/** Returns when the run starts or times out. */
function findQueueEnd(run: Run): number {
  return Math.min(run.startsAt, run.timesOutAt ?? run.startsAt);
}

/** The runs that have not ended, in order of admission. */
export class OpenRuns {
  readonly #runs = new Map<string, Run>();

  put(run: Run): void {
    this.#runs.set(run.id, run);
  }

  clear(): void {
    this.#runs.clear();
  }

  /** Counts the open runs of a scope. Queued runs count from their admission (OP-050). */
  count(scope: string, now: number): number {
    return this.#list(now).filter((run) => run.scope === scope).length;
  }

  /** Counts the waiting runs of the same model ahead of this one, from any caller (MR-QUE-09). */
  countAhead({ id, modelId }: Run, now: number): number {
    let ahead = 0;
    for (const run of this.#list(now)) {
      if (run.id === id) break;
      const isWaiting = run.operation === 'submit' && now < (findDispatchTime(run) ?? findCloseTime(run));
      if (isWaiting && run.modelId === modelId) ahead += 1;
    }
    return ahead;
  }

  #list(now: number): Run[] {
    for (const run of this.#runs.values()) if (hasClosed(run, now)) this.#runs.delete(run.id);
    return [...this.#runs.values()];
  }
}

/** A run in the ledger. Times in milliseconds. */
export type LedgerRun = {
  id: string;
  operation: Run['operation'];
  model: string;
  scope: string;
  credential: string;
  key: string | undefined;
  admittedAt: number;
  dispatchedAt: number | undefined;
  endedAt: number | undefined;
  outcome: string;
  billed: boolean;
  replays: number;
  clientDisconnected: boolean;
  servedBy: string;
  received: Run['received'];
};
/** Counts of calls with the same key. An idempotency key should prevent more than one `billed` run. */
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

/** One week: longer than a key is valid, so that the ledger shows if a call was billed again after its key had expired. */
export const ledgerLifetimeMs = 7 * 24 * 60 * 60 * 1000;

/** Creates the ledger. Counts every run, but only lists the newest `atMost` runs. */
export function readLedger(runs: Iterable<Run>, now: number, atMost: number = Number.POSITIVE_INFINITY): Ledger {
  const totals = { dispatches: 0, billed: 0, replays: 0, clientDisconnects: 0 };
  const keys = new Map<string, LedgerKey>();
  const entries: LedgerRun[] = [];
  for (const run of runs) {
    const phase = findPhase(run, now);
    const sentAt = findDispatchTime(run);
    const entry: LedgerRun = {
      id: run.id,
      operation: run.operation,
      model: run.modelId,
      scope: run.scope,
      credential: run.alias,
      key: run.key,
      admittedAt: run.submittedAt,
      dispatchedAt: sentAt !== undefined && sentAt <= now ? sentAt : undefined,
      endedAt: hasClosed(run, now) ? findCloseTime(run) : undefined,
      outcome: phase.kind === 'ended' ? phase.errorType : phase.kind,
      billed: wasBilled(run, now),
      replays: run.replays,
      clientDisconnected: run.disconnectedAt !== undefined,
      servedBy: run.servedBy,
      received: run.received,
    };
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
