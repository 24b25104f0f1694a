export type { Settled } from '../http/client-error.ts';
export * from './create-workflow-execution.ts';
export {
  isWorkflowError,
  type KnownCode,
  knownCodes,
  safe,
  WorkflowError,
  type WorkflowErrorFacts,
} from './workflow-error.ts';
