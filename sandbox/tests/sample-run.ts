import type { Run } from '../src/state/run.ts';

/** Creates a queued run for tests: submitted at 0, dispatched at 100, and finished at 300. */
export function sampleRun(difference: Partial<Run> = {}): Run {
  return {
    id: 'a',
    operation: 'submit',
    modelId: 'p/m',
    scope: 'workspace:one',
    alias: 'main',
    key: undefined,
    submittedAt: 0,
    startsAt: 100,
    endsAt: 300,
    timesOutAt: 1000,
    errorType: undefined,
    isBilled: true,
    servedBy: 'p',
    received: [],
    cancelledAt: undefined,
    replays: 0,
    disconnectedAt: undefined,
    ...difference,
  };
}
