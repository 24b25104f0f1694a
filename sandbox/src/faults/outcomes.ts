import type { Fault } from './decorator.ts';
import { outcomeFailureFaults } from './outcomes/failures.ts';
import { outcomeQueuedFaults } from './outcomes/queued.ts';
import { outcomeResultFaults } from './outcomes/results.ts';

export const outcomeFaults: readonly Fault[] = [
  ...outcomeFailureFaults,
  ...outcomeResultFaults,
  ...outcomeQueuedFaults,
];
