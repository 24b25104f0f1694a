export type { Settled } from '../http/settled.ts';
export * from './create-workflow-execution.ts';
export {
  isWorkflowError,
  type KnownCode,
  knownCodes,
  WorkflowError,
  type WorkflowErrorFacts,
} from './workflow-error.ts';
