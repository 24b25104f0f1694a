/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { isSegment, readBaseUrl, readVariable } from '../http/base-url.js';
import { performCall, readClientOptions, readDeadlineMs, } from '../http/call.js';
import { createErrorClass, hasBrand, settle } from '../http/client-error.js';
import { readRetryAfterMs } from '../http/clock.js';
import { createCredential } from '../http/credential.js';
import { addParts, } from '../http/observers.js';
import { describeUnexpected, isObject, quoteBody, toObject } from '../http/read-body.js';
import { redactJson } from '../http/redactor.js';
import { send } from '../http/send.js';
/** The error codes that the API documents. The service may add more. */
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
export const WorkflowError = /* @__PURE__ */ createErrorClass('WorkflowError');
/** True for an error of this client, or of another copy of its package. */
export function isWorkflowError(value) {
    return hasBrand(value, 'WorkflowError');
}
/** Returns the error of a call as a value: `{ ok: true, …result }` or `{ ok: false, error }`. */
export const safe = (call) => settle(call, isWorkflowError);
export function createWorkflowExecution(options = {}) {
    const { baseUrl, token, ...others } = options;
    const givenUrl = baseUrl ?? readVariable('WORKFLOW_EXECUTION_URL');
    if (givenUrl === undefined)
        throw new TypeError('createWorkflowExecution: no base URL: set baseUrl or WORKFLOW_EXECUTION_URL');
    const secret = token ?? readVariable('WORKFLOW_EXECUTION_TOKEN');
    if (secret === '')
        throw new TypeError('createWorkflowExecution: token is empty; omit it if none is needed');
    const client = {
        ...readClientOptions('workflow-execution', { maxAttempts: 4 }, others),
        baseUrl: readBaseUrl(givenUrl, '/api/v2', 'createWorkflowExecution: baseUrl'),
        maxWaitMs: Infinity,
        maxResponseBytes: 64 * 1024 * 1024,
        credential: createCredential({ header: 'Authorization', secret }),
        fail,
    };
    const getJobWorkflow = (jobId, given) => {
        const identity = { operation: 'workflow', jobId };
        return performCall(client, identity, { defaultMs: readDeadlineMs }, given, async (call) => {
            if (!isSegment(jobId))
                throw fail(identity, { kind: 'local', message: 'the job id cannot be used in a path' });
            const url = `${client.baseUrl}/api/v2/jobs/${encodeURIComponent(jobId)}/workflow`;
            return await send(call, {
                identity,
                facts: identity,
                repetition: 'read',
                url,
                decide: (answer, { attempts }) => decideOnAnswer(jobId, answer, attempts, call),
            });
        });
    };
    return { getJobWorkflow, use: addParts(client.parts) };
}
function decideOnAnswer(jobId, { response, body }, attempts, { redact }) {
    const { status, headers } = response;
    const { format, workflow } = toObject(body);
    if (status === 200 && isObject(workflow) && typeof format === 'string') {
        const { text = '' } = body;
        const isKnown = format === 'save' || format === 'api';
        return { result: isKnown ? { format, workflow, text } : { format: 'unknown', rawFormat: format, workflow, text } };
    }
    const ms = readRetryAfterMs(headers);
    const isUnclear = status > 0 && status < 300; // A redirect hidden by a browser has the status 0.
    const isRetryable = [408, 425, 429].includes(status) || status >= 500 || isUnclear;
    const every = { jobId, attempts, status, isRetryable, retryAfterMs: ms };
    const create = (message, facts) => {
        const error = new WorkflowError(redact(writeMessage(jobId, message)), facts);
        const next = facts.isRetryable ? { isRequested: status === 429 && ms !== undefined, ms } : undefined;
        return { type: facts.kind === 'workflow' ? facts.rawCode : facts.kind, error, next };
    };
    // A retry may help if the body is incomplete or a proxy page.
    const mayChange = body.kind !== 'json' && body.isFinal !== true;
    if (status === 200)
        return create('200 with a body that is not a workflow', { ...every, kind: 'decode', isRetryable: mayChange });
    const envelope = toObject({ kind: body.kind, value: redactJson(body, redact) })['error'];
    if (!isObject(envelope) || typeof envelope['code'] !== 'string') {
        const excerpt = quoteBody(body, redact);
        return create(`${status}${describeUnexpected(response, excerpt)}`, { ...every, kind: 'opaque', excerpt });
    }
    const { code, message, details, ...unknownMembers } = envelope;
    const rawCode = String(code);
    const known = knownCodes.find((one) => one === rawCode);
    return create(`${status} ${rawCode}: ${typeof message === 'string' ? message : ''}`, {
        ...every,
        kind: 'workflow',
        isRetryable: known !== 'deployment_stopped' && isRetryable,
        code: known,
        rawCode,
        category: { known, body: rawCode },
        unknownMembers,
        ...(isObject(details) ? { details } : {}),
    });
}
function fail({ jobId }, failure) {
    const { message, cause, attempts = 0, isRetryable = false, mayHaveRun: _, ...kind } = failure;
    return new WorkflowError(writeMessage(jobId, message), { jobId, attempts, isRetryable, ...kind }, cause);
}
const writeMessage = (jobId, message) => `workflow of job ${jobId}: ${message}`;
