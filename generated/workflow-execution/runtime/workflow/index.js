/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export * from './create-workflow-execution.js';
export { isWorkflowError, knownCodes, safe, WorkflowError, } from './workflow-error.js';
