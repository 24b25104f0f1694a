import type { Rule } from '../rule.ts';
import { bodyRules } from './bodies.ts';
import { documentRules } from './documents.ts';
import { headerRules } from './headers.ts';
import { modelOutputRules } from './model-output.ts';
import { replayRules, secretRules } from './secrets.ts';
import { statusRules } from './statuses.ts';
import { exchangeTraceRules } from './trace-exchanges.ts';
import { queueTraceRules } from './trace-queue.ts';
import { workflowRules } from './workflow.ts';

/** Rules over every exchange of a run, whichever rule caused it. */
export const passiveRules: readonly Rule[] = [
  ...headerRules,
  ...bodyRules,
  ...documentRules,
  ...statusRules,
  ...secretRules,
  ...replayRules,
  ...workflowRules,
  ...exchangeTraceRules,
  ...queueTraceRules,
  ...modelOutputRules,
];
