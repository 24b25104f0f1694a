import { closesAt, dispatchedAt, hasClosed, type Run } from './run.ts';

/** The runs that are not closed yet, in order of admission: an index over the records, rebuilt from them. */
export type LiveRuns = {
  /** A new run comes last; a changed one keeps its place. */
  put(run: Run): void;
  /** How many calls of a scope are under way, queued ones from their admission (NS-50). */
  count(scope: string, now: number): number;
  /** How many waiting runs of the same model are ahead of this one, from any caller (MR-QUE-09). */
  countAhead(run: Run, now: number): number;
  clear(): void;
};

export function createLiveRuns(underWay: readonly Run[] = []): LiveRuns {
  const runs = new Map(underWay.map((run) => [run.id, run]));
  const removeClosed = (now: number): void => {
    for (const run of runs.values()) if (hasClosed(run, now)) runs.delete(run.id);
  };
  return {
    put: (run) => {
      runs.set(run.id, run);
    },
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
        if (run.modelId === modelId && isWaiting(run, now)) ahead += 1;
      }
      return ahead;
    },
    clear: () => runs.clear(),
  };
}

function isWaiting(run: Run, now: number): boolean {
  return run.operation === 'submit' && now < (dispatchedAt(run) ?? closesAt(run));
}
