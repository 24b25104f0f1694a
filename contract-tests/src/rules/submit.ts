import type { Rule } from '../rule.ts';
import { submitHandleRules } from './submit/handles.ts';
import { submitRefusalRules } from './submit/refusals.ts';
import { submitRetryRules } from './submit/retries.ts';
import { submitTimingRules } from './submit/timing.ts';

export const submitRules: readonly Rule[] = [
  ...submitHandleRules,
  ...submitRefusalRules,
  ...submitRetryRules,
  ...submitTimingRules,
];
