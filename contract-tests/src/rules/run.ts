import type { Rule } from '../rule.ts';
import { runQuotaRules } from './run/quotas.ts';
import { runRefusalRules } from './run/refusals.ts';
import { runResultRules } from './run/results.ts';
import { runRetryRules } from './run/retries.ts';

export const runRules: readonly Rule[] = [...runResultRules, ...runRefusalRules, ...runRetryRules, ...runQuotaRules];
