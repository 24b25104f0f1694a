/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { redactValue } from '../http/credential.js';
import { isObject, quoteBody, toObject } from '../http/read-body.js';
import { knownCodes, WorkflowError } from './workflow-error.js';
/** Undefined when the body is no job workflow. */
export function readJobWorkflow(body) {
    const { format, workflow } = toObject(body);
    if (!isObject(workflow) || typeof format !== 'string')
        return undefined;
    return format === 'save' || format === 'api'
        ? { format, workflow }
        : { format: 'unknown', rawFormat: format, workflow };
}
export function readFailure({ body, ...answered }, redact) {
    const { jobId, status } = answered;
    const where = `workflow of job ${jobId}: ${status}`;
    const envelope = toObject(body)['error'];
    if (!isObject(envelope) || typeof envelope['code'] !== 'string') {
        const excerpt = quoteBody(body, redact);
        const isRetryable = status === 429 || status >= 500;
        return new WorkflowError(`${where}: ${excerpt}`, { kind: 'opaque', ...answered, isRetryable, excerpt });
    }
    const code = knownCodes.find((one) => one === envelope['code']);
    const shown = redactValue(envelope, redact); // it is an object still
    const { code: rawCode, message, details, ...unknownMembers } = shown;
    return new WorkflowError(redact(`${where} ${rawCode}: ${String(message)}`), {
        kind: 'workflow',
        ...answered,
        isRetryable: code !== 'deployment_stopped' && (status === 429 || status >= 500),
        code,
        rawCode: String(rawCode),
        category: { known: code, body: String(rawCode) },
        unknownMembers,
        ...(isObject(details) ? { details } : {}),
    });
}
