export { createWorkflowExecution, } from './create-workflow-execution.js';
export { knownCodes, WorkflowError } from './workflow-error.js';
