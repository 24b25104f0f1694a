import type { Fault } from './decorator.ts';
import { runRefusalFaults } from './run/refusals.ts';
import { runResultFaults } from './run/results.ts';
import { runRetryFaults } from './run/retries.ts';

export const runFaults: readonly Fault[] = [...runResultFaults, ...runRefusalFaults, ...runRetryFaults];
