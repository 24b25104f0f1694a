export {
  createWorkflowExecution,
  type WorkflowCallOptions,
  type WorkflowEvent,
  type WorkflowExecution,
  type WorkflowExecutionOptions,
  type WorkflowHooks,
  type WorkflowObservers,
} from './create-workflow-execution.ts';
export type { JobWorkflow } from './read-answer.ts';
export { type KnownCode, knownCodes, WorkflowError, type WorkflowErrorFacts } from './workflow-error.ts';
