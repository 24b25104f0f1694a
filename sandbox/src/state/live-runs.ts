import { createQueue, type Queue } from './queue.ts';
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

export function createLiveRuns(): LiveRuns {
  const byScope = new Map<string, Queue>();
  const waitingByModel = new Map<string, Queue>();
  return {
    put: (run) => {
      queueOf(byScope, run.scope).put(run.id, closesAt(run));
      if (run.operation === 'submit') queueOf(waitingByModel, run.modelId).put(run.id, leavesAt(run));
    },
    count: (scope, now) => byScope.get(scope)?.size(now) ?? 0,
    countAhead: (run, now) => waitingByModel.get(run.modelId)?.countAhead(run.id, now) ?? 0,
    clear: () => {
      byScope.clear();
      waitingByModel.clear();
    },
  };
}

function leavesAt(run: Run): number {
  return dispatchedAt(run) ?? closesAt(run);
}

function queueOf(queues: Map<string, Queue>, name: string): Queue {
  const queue = queues.get(name) ?? createQueue();
  queues.set(name, queue);
  return queue;
}
