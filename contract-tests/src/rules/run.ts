import type { Rule } from '../rule.ts';
import { runConflictRules } from './run/conflicts.ts';
import { runKeyRules } from './run/keys.ts';
import { runQuotaRules } from './run/quotas.ts';
import { runRefusalRules } from './run/refusals.ts';
import { runReplayRules } from './run/replays.ts';
import { runResultRules } from './run/results.ts';
import { runSpendRules } from './run/spend.ts';

export const runRules: readonly Rule[] = [
  ...runResultRules,
  ...runSpendRules,
  ...runRefusalRules,
  ...runReplayRules,
  ...runConflictRules,
  ...runKeyRules,
  ...runQuotaRules,
];
