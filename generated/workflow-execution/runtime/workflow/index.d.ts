/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export type { Settled } from '../http/client-error.js';
export * from './create-workflow-execution.js';
export { isWorkflowError, type KnownCode, knownCodes, safe, WorkflowError, type WorkflowErrorFacts, } from './workflow-error.js';
