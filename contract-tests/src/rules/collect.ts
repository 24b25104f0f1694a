import type { Rule } from '../rule.ts';
import { collectPendingRules } from './collect/pending.ts';
import { collectRepeatedRules } from './collect/repeated.ts';
import { collectResultRules } from './collect/results.ts';
import { collectUnknownRules } from './collect/unknown.ts';

export const collectRules: readonly Rule[] = [
  ...collectPendingRules,
  ...collectResultRules,
  ...collectUnknownRules,
  ...collectRepeatedRules,
];
