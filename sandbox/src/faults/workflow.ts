import type { Fault } from './decorator.ts';
import { workflowAccessFaults } from './workflow/access.ts';
import { workflowAnswerFaults } from './workflow/answers.ts';
import { workflowCallerFaults } from './workflow/callers.ts';
import { workflowErrorFaults } from './workflow/errors.ts';
import { workflowMissingFaults } from './workflow/missing.ts';
import { workflowShapeFaults } from './workflow/shapes.ts';

export const workflowFaults: readonly Fault[] = [
  ...workflowAnswerFaults,
  ...workflowMissingFaults,
  ...workflowErrorFaults,
  ...workflowAccessFaults,
  ...workflowShapeFaults,
  ...workflowCallerFaults,
];
