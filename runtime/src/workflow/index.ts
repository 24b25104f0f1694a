export type { Settled } from '../http/settle.ts';
export * from './create-workflow-execution.ts';
export {
  isWorkflowError,
  type KnownCode,
  knownCodes,
  safe,
  WorkflowError,
  type WorkflowErrorFacts,
} from './workflow-error.ts';
