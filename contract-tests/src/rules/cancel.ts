import type { Rule } from '../rule.ts';
import { cancelCompletedRules } from './cancel/completed.ts';
import { cancelOthersRules } from './cancel/others.ts';
import { cancelPendingRules } from './cancel/pending.ts';
import { cancelUnknownRules } from './cancel/unknown.ts';

export const cancelRules: readonly Rule[] = [
  ...cancelPendingRules,
  ...cancelCompletedRules,
  ...cancelUnknownRules,
  ...cancelOthersRules,
];
