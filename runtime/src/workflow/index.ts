export {
  createWorkflowExecution,
  type JobWorkflow,
  type WorkflowCallEvent,
  type WorkflowCallOptions,
  type WorkflowEvent,
  type WorkflowExecution,
  type WorkflowExecutionOptions,
  type WorkflowHooks,
  type WorkflowMiddleware,
  type WorkflowObservers,
} from './create-workflow-execution.ts';
export {
  isWorkflowError,
  type KnownCode,
  knownCodes,
  WorkflowError,
  type WorkflowErrorFacts,
} from './workflow-error.ts';
