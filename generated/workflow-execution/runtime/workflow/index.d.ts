export { createWorkflowExecution, type WorkflowCallOptions, type WorkflowEvent, type WorkflowExecution, type WorkflowExecutionOptions, type WorkflowHooks, } from './create-workflow-execution.js';
export type { JobWorkflow } from './read-answer.js';
export { type KnownCode, knownCodes, WorkflowError, type WorkflowErrorFacts } from './workflow-error.js';
