/**
 * A call that was admitted: sent to its provider at once (`run`), or after a wait in the queue (`submit`). The provider's
 * response is fixed at admission and revealed with time, so only the clock moves a run on. Times in milliseconds.
 */
export type Run = {
  /** Also the request id of a queued run. */
  id: string;
  operation: 'run' | 'submit';
  modelId: string;
  scope: string;
  /** Alias of the credential that the run was sent with. */
  alias: string;
  key: string | undefined;
  submittedAt: number;
  /** Dispatch to the provider. */
  startsAt: number;
  /** The provider's response. */
  endsAt: number;
  /** When a queued run that still waits is given up. */
  timesOutAt: number | undefined;
  /** The category of a response that is not a result. */
  errorType: string | undefined;
  /** True if the provider's response is billed. */
  isBilled: boolean;
  /** The provider that responded, and the digest of what each provider received. */
  servedBy: string;
  received: readonly { provider: string; bytes: number; sha256: string }[];
  /** When a withdrawal takes effect. */
  withdrawnAt: number | undefined;
  replays: number;
  /** The caller disconnected before there was a response. */
  disconnectedAt: number | undefined;
};

/** A run with the page of the ledger on which it was admitted; only the last page is listed. */
export type AdmittedRun = Run & { ledgerPage: number };

export type Phase =
  | { kind: 'waiting' | 'running' | 'withdrawing' | 'succeeded' }
  | { kind: 'ended'; errorType: string };

/** Time during which a result can be collected; not documented: OP-021. */
export const runLifetimeMs = 24 * 60 * 60 * 1000;

/** Both `succeeded` and `ended` are COMPLETED on the wire, and final (MR-QUE-17, MR-QUE-33). */
export function findPhase(run: Run, now: number): Phase {
  if (run.withdrawnAt !== undefined && now >= run.withdrawnAt) return { kind: 'ended', errorType: 'cancelled' };
  if (isNeverAdmitted(run)) {
    return now >= leavesQueueAt(run) ? { kind: 'ended', errorType: 'queue_timeout' } : { kind: 'waiting' };
  }
  if (now >= run.endsAt) {
    return run.errorType === undefined ? { kind: 'succeeded' } : { kind: 'ended', errorType: run.errorType };
  }
  if (run.withdrawnAt !== undefined) return { kind: 'withdrawing' };
  return { kind: now >= run.startsAt ? 'running' : 'waiting' };
}

/** When the run is sent to its provider; undefined for a run that left the queue before (MR-CTG-23). */
export function dispatchedAt(run: Run): number | undefined {
  if (isNeverAdmitted(run)) return undefined;
  return run.withdrawnAt !== undefined && run.withdrawnAt < run.startsAt ? undefined : run.startsAt;
}

/** Nothing changes from this time on. */
export function closesAt(run: Run): number {
  if (run.withdrawnAt !== undefined) return run.withdrawnAt;
  return isNeverAdmitted(run) ? leavesQueueAt(run) : run.endsAt;
}

export function hasClosed(run: Run, now: number): boolean {
  return now >= closesAt(run);
}

/** Billed once its response was generated, cancelled too late or not (MR-CAN-12). */
export function wasBilled(run: Run, now: number): boolean {
  return run.isBilled && now >= run.endsAt && dispatchedAt(run) !== undefined && run.withdrawnAt === undefined;
}

/**
 * A waiting run is withdrawn at once. At a provider it takes effect after `cancellingMs`, and a run that
 * ends before then ends as if it had not been withdrawn (MR-CAN-11). A closed run is unchanged (MR-CAN-13).
 */
export function withdraw<Of extends Run>(run: Of, cancellingMs: number, now: number): Of {
  if (hasClosed(run, now) || run.withdrawnAt !== undefined) return run;
  const at = findPhase(run, now).kind === 'waiting' ? now : now + cancellingMs;
  return at < closesAt(run) ? { ...run, withdrawnAt: at } : run;
}

/** Milliseconds until the run leaves its phase; none once it has closed. */
export function untilNextPhase(run: Run, now: number): number {
  const next = findPhase(run, now).kind === 'waiting' ? leavesQueueAt(run) : closesAt(run);
  return Math.max(0, next - now);
}

export function isForgotten(run: Run, now: number): boolean {
  return now >= run.submittedAt + runLifetimeMs;
}

/** It times out before its place in the queue comes. */
function isNeverAdmitted(run: Run): boolean {
  return run.timesOutAt !== undefined && run.timesOutAt <= run.startsAt;
}

function leavesQueueAt(run: Run): number {
  return Math.min(run.startsAt, run.timesOutAt ?? run.startsAt);
}

/** The runs that are not closed yet, in order of admission: an index over the records, rebuilt from them. */
export type LiveRuns = {
  /** A new run comes last; a changed one keeps its place. */
  put(run: Run): void;
  /** Number of a scope's calls in progress; queued calls count from their admission (OP-050). */
  count(scope: string, now: number): number;
  /** Number of waiting runs of the same model ahead of this one, from any caller (MR-QUE-09). */
  countAhead(run: Run, now: number): number;
  clear(): void;
};

export function createLiveRuns(underWay: readonly Run[] = []): LiveRuns {
  const runs = new Map(underWay.map((run) => [run.id, run]));
  const removeClosed = (now: number): void => {
    for (const run of runs.values()) if (hasClosed(run, now)) runs.delete(run.id);
  };
  return {
    put: (run) => void runs.set(run.id, run),
    count: (scope, now) => {
      removeClosed(now);
      let count = 0;
      for (const run of runs.values()) if (run.scope === scope) count += 1;
      return count;
    },
    countAhead: ({ id, modelId }, now) => {
      removeClosed(now);
      let ahead = 0;
      for (const run of runs.values()) {
        if (run.id === id) break;
        const isWaiting = run.operation === 'submit' && now < (dispatchedAt(run) ?? closesAt(run));
        if (isWaiting && run.modelId === modelId) ahead += 1;
      }
      return ahead;
    },
    clear: () => runs.clear(),
  };
}
