/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { excerptOf } from '../http/read-body.js';
import { knownCodes, WorkflowError } from './workflow-error.js';
/** Undefined when the body is no job workflow. */
export function readJobWorkflow(body) {
    const value = body.kind === 'json' ? body.value : undefined;
    if (!isRecord(value) || !isRecord(value['workflow']) || typeof value['format'] !== 'string')
        return undefined;
    const { format, workflow } = value;
    return format === 'save' || format === 'api'
        ? { format, workflow: workflow } // checked above
        : { format: 'unknown', rawFormat: String(format), workflow };
}
export function readFailure({ body, ...answered }, redact) {
    const { jobId, status } = answered;
    const where = `workflow of job ${jobId}: ${status}`;
    const envelope = body.kind === 'json' && isRecord(body.value) ? body.value['error'] : undefined;
    if (!isRecord(envelope) || typeof envelope['code'] !== 'string') {
        const excerpt = excerptOf(body, redact);
        const isRetryable = status === 429 || status >= 500;
        return new WorkflowError(`${where}: ${excerpt}`, { kind: 'opaque', ...answered, isRetryable, excerpt });
    }
    const { code: rawCode, message, details, ...unknownMembers } = envelope;
    const code = knownCodes.find((one) => one === rawCode);
    return new WorkflowError(`${where} ${rawCode}: ${String(message)}`, {
        kind: 'workflow',
        ...answered,
        isRetryable: code !== 'deployment_stopped' && (status === 429 || status >= 500),
        code,
        rawCode: String(rawCode),
        unknownMembers,
        ...(isRecord(details) ? { details } : {}),
    });
}
function isRecord(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
