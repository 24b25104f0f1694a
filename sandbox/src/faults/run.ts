import type { Fault } from './decorator.ts';
import { runConflictFaults } from './run/conflicts.ts';
import { runFileAndReplayFaults } from './run/files-and-replays.ts';
import { runKeyFaults } from './run/keys.ts';
import { runRefusalFaults } from './run/refusals.ts';
import { runReplayFaults } from './run/replays.ts';
import { runResultFaults } from './run/results.ts';

export const runFaults: readonly Fault[] = [
  ...runResultFaults,
  ...runRefusalFaults,
  ...runReplayFaults,
  ...runFileAndReplayFaults,
  ...runConflictFaults,
  ...runKeyFaults,
];
