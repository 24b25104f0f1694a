import { closesAt, dispatchedAt, type Run } from './run.ts';

/** The runs that are not closed yet, in order of admission: an index over the store, rebuilt from it. */
export type LiveRuns = {
  /** Puts a run, new or changed. */
  put(run: Run): void;
  /** How many calls of a scope are under way, queued ones from their admission (NS-50). */
  count(scope: string, now: number): number;
  /** How many waiting runs of the same model are ahead of this one, whoever sent them (MR-QUE-09). */
  countAhead(run: Run, now: number): number;
  clear(): void;
};

/** A group is walked only when its first member may have left it; places are counted anew only after somebody did. */
type Group = { runs: Map<string, Run>; stableUntil: number; places: Map<string, number> | undefined };

export function createLiveRuns(): LiveRuns {
  const byScope = new Map<string, Group>();
  const waitingByModel = new Map<string, Group>();
  return {
    put: (run) => {
      putInto(byScope, run.scope, run, closesAt(run));
      if (run.operation === 'submit') putInto(waitingByModel, run.modelId, run, leavesAt(run));
    },
    count: (scope, now) => settle(byScope, scope, { now, leaves: closesAt })?.runs.size ?? 0,
    countAhead: (run, now) => {
      const group = settle(waitingByModel, run.modelId, { now, leaves: leavesAt });
      if (group === undefined) return 0;
      group.places ??= new Map([...group.runs.keys()].map((id, place) => [id, place]));
      return group.places.get(run.id) ?? group.runs.size; // who is settled here waits, and a newcomer comes last
    },
    clear: () => {
      byScope.clear();
      waitingByModel.clear();
    },
  };
}

function leavesAt(run: Run): number {
  return dispatchedAt(run) ?? closesAt(run);
}

function putInto(groups: Map<string, Group>, name: string, run: Run, until: number): void {
  const group = groups.get(name) ?? { runs: new Map<string, Run>(), stableUntil: until, places: undefined };
  if (!group.runs.has(run.id)) group.places?.set(run.id, group.runs.size);
  group.runs.set(run.id, run); // a changed run keeps its place
  group.stableUntil = Math.min(group.stableUntil, until);
  groups.set(name, group);
}

/** The group without those that left it; undefined when nobody is left. */
function settle(
  groups: Map<string, Group>,
  name: string,
  { now, leaves }: { now: number; leaves: (run: Run) => number },
): Group | undefined {
  const group = groups.get(name);
  if (group === undefined || now < group.stableUntil) return group;
  let stableUntil = Number.POSITIVE_INFINITY;
  group.places = undefined;
  for (const run of group.runs.values()) {
    if (leaves(run) <= now) group.runs.delete(run.id);
    else stableUntil = Math.min(stableUntil, leaves(run));
  }
  group.stableUntil = stableUntil;
  if (group.runs.size > 0) return group;
  groups.delete(name);
  return undefined;
}
