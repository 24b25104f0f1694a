/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isSegment, readBaseUrl, readVariable } from '../http/base-url.js';
import { readClientOptions, readMs, startCall, watchCall, } from '../http/call.js';
import { readRetryAfter } from '../http/clock.js';
import { createCredential } from '../http/credential.js';
import { addParts, } from '../http/observers.js';
import { isObject, quoteBody, toObject } from '../http/read-body.js';
import { redactValue } from '../http/redact-value.js';
import { send } from '../http/send.js';
import { settled } from '../http/settled.js';
import { fail, isWorkflowError, knownCodes, WorkflowError, writeMessage } from './workflow-error.js';
export function createWorkflowExecution(options = {}) {
    const { baseUrl, token, fetch, ...others } = options;
    const address = baseUrl ?? readVariable('WORKFLOW_EXECUTION_URL') ?? '';
    const secret = token ?? readVariable('WORKFLOW_EXECUTION_TOKEN');
    if (secret === '')
        throw new TypeError('createWorkflowExecution: token is empty; leave it out where none is needed');
    const client = {
        ...readClientOptions('workflow-execution', { maxAttempts: 4 }, others),
        baseUrl: readBaseUrl(address, '/api/v2', 'createWorkflowExecution'),
        maxWaitMs: Number.POSITIVE_INFINITY,
        maxResponseBytes: 64 * 1024 * 1024,
        idleTimeoutMs: 60_000,
        fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
        credential: createCredential({ header: 'Authorization', secret }),
        fail,
    };
    const getJobWorkflow = (jobId, given) => watchCall(() => startCall(client, { operation: 'workflow', jobId }, given, { usualMs: readMs }), (call) => read(jobId, call));
    return { getJobWorkflow, use: addParts(client.parts), safe: settled({ getJobWorkflow }, isWorkflowError) };
}
async function read(jobId, call) {
    const identity = { operation: 'workflow', jobId };
    if (!isSegment(jobId))
        throw fail(identity, { kind: 'local', message: 'the id is empty or no id' });
    const url = `${call.client.baseUrl}/api/v2/jobs/${encodeURIComponent(jobId)}/workflow`;
    const decide = (attempt, progress) => 'response' in attempt ? decideAnswer(jobId, attempt, progress, call) : decideLoss(jobId, attempt, progress);
    return await send({ identity, facts: identity, url }, { decide }, call);
}
function decideLoss(jobId, loss, { attempts }) {
    const { kind, message, cause, deadlineMs, isFinal } = loss;
    const failure = { message, cause, attempts, isRetryable: !isFinal };
    const error = fail({ jobId }, kind === 'timeout' ? { ...failure, kind, deadlineMs } : { ...failure, kind });
    return { type: kind, error, next: isFinal ? undefined : { isTold: false } };
}
function decideAnswer(jobId, answer, { attempts }, call) {
    const { response, body } = answer;
    const { format, workflow } = toObject(body);
    if (response.status === 200 && isObject(workflow) && typeof format === 'string') {
        const { text = '' } = body;
        const isKnown = format === 'save' || format === 'api';
        return { result: isKnown ? { format, workflow, text } : { format: 'unknown', rawFormat: format, workflow, text } };
    }
    const error = failAnswered(jobId, answer, attempts, call);
    const seconds = readRetryAfter(response.headers);
    const next = error.isRetryable ? { isTold: response.status === 429 && seconds !== undefined, seconds } : undefined;
    return { type: error.kind === 'workflow' ? error.rawCode : error.kind, error, next };
}
/** The error of a response that is no workflow. */
function failAnswered(jobId, { response, body }, attempts, { redact }) {
    const { status, headers } = response;
    const saysNothing = status > 0 && status < 300; // the redirects of browsers have the status 0
    const isRetryable = [408, 425, 429].includes(status) || status >= 500 || saysNothing;
    const every = { jobId, attempts, status, isRetryable, retryAfterSeconds: readRetryAfter(headers) };
    const write = (message) => redact(writeMessage(jobId, message));
    if (status === 200) {
        // The page of a proxy or a truncated body may be a workflow the next time; another shape will not.
        const mayChange = body.kind !== 'json' && body.isFinal !== true;
        return new WorkflowError(write('200 with a body that is no workflow'), {
            ...every,
            kind: 'decode',
            isRetryable: mayChange,
        });
    }
    const envelope = toObject(body)['error'];
    const shown = redactValue(envelope, redact);
    if (!isObject(envelope) || typeof envelope['code'] !== 'string' || !isObject(shown)) {
        const excerpt = quoteBody(body, redact);
        const location = headers.get('location');
        const to = location === null ? '' : `, redirected to ${location}, which is not followed`;
        const hidden = status === 0 ? 'a redirect, which the browser hides: the session may have ended' : '';
        const message = `${status}${to}: ${hidden || excerpt || 'no body'}`;
        return new WorkflowError(write(message), { ...every, kind: 'opaque', excerpt });
    }
    const code = knownCodes.find((one) => one === envelope['code']);
    const { code: word, message, details, ...unknownMembers } = shown;
    const rawCode = String(word);
    return new WorkflowError(write(`${status} ${rawCode}: ${typeof message === 'string' ? message : ''}`), {
        ...every,
        kind: 'workflow',
        isRetryable: code !== 'deployment_stopped' && isRetryable,
        code,
        rawCode,
        category: { known: code, body: rawCode },
        unknownMembers,
        ...(isObject(details) ? { details } : {}),
    });
}
