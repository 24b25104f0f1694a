import type { Rule } from '../rule.ts';
import { outcomeFailureRules } from './outcomes/failures.ts';
import { outcomeQueuedRules } from './outcomes/queued.ts';
import { outcomeResultRules } from './outcomes/results.ts';

export const outcomeRules: readonly Rule[] = [...outcomeFailureRules, ...outcomeResultRules, ...outcomeQueuedRules];
