/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The codes that the API documents name; later ones are kept as they come (WX-COD-27). */
export const knownCodes = [
    'invalid_workflow',
    'workflow_format_ui',
    'missing_asset',
    'hash_mismatch',
    'blob_not_found',
    'idempotency_key_reuse',
    'queue_full',
    'insufficient_credits',
    'not_found',
    'unauthorized',
    'forbidden',
    'deployment_not_ready',
    'deployment_stopped',
    'rate_limited',
    'upstream_error',
];
// The members depend on the kind, which a class cannot say. The class has a name of its own, which consoles and stacks show.
export const WorkflowError = class WorkflowError extends Error {
    name = 'WorkflowError';
    constructor(message, facts, cause) {
        super(message, cause === undefined ? undefined : { cause });
        Object.assign(this, facts);
    }
};
