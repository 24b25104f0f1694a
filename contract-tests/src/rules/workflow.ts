import type { Rule } from '../rule.ts';
import { workflowAnswerRules } from './workflow/answers.ts';
import { workflowCallerRules } from './workflow/callers.ts';
import { workflowErrorRules } from './workflow/errors.ts';
import { workflowMissingRules } from './workflow/missing.ts';
import { workflowShapeRules } from './workflow/shapes.ts';
import { workflowVerbatimRules } from './workflow/verbatim.ts';

export const workflowRules: readonly Rule[] = [
  ...workflowAnswerRules,
  ...workflowMissingRules,
  ...workflowShapeRules,
  ...workflowErrorRules,
  ...workflowCallerRules,
  ...workflowVerbatimRules,
];
