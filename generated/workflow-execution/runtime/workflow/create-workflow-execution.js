/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isSegment, readBaseUrl, readVariable } from '../http/base-url.js';
import { readRetryAfter } from '../http/clock.js';
import { connectAs, reads, watchCalls, } from '../http/connection.js';
import { createCredential } from '../http/credential.js';
import { explainLoss } from '../http/explain-failure.js';
import { addParts, } from '../http/observers.js';
import { perform } from '../http/perform.js';
import { isObject, quoteBody, toObject } from '../http/read-body.js';
import { redactValue } from '../http/redact-value.js';
import { settled } from '../http/settled.js';
import { fail, isWorkflowError, knownCodes } from './workflow-error.js';
export function createWorkflowExecution(options = {}) {
    const { baseUrl, token, fetch, ...others } = options;
    const address = baseUrl ?? readVariable('WORKFLOW_EXECUTION_URL') ?? '';
    const secret = token ?? readVariable('WORKFLOW_EXECUTION_TOKEN');
    const connection = {
        ...connectAs('workflow-execution', { maxAttempts: 4 }, others),
        baseUrl: readBaseUrl(address, '/api/v2', 'createWorkflowExecution'),
        maxWaitMs: Number.POSITIVE_INFINITY,
        maxResponseBytes: 64 * 1024 * 1024,
        idleTimeoutMs: 60_000,
        fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
        credential: createCredential({ header: 'Authorization', secret, scope: '' }),
        fail: (call, message, more) => fail(call, message, more), // every call of this client is one of a job
    };
    const watch = watchCalls(connection);
    const getJobWorkflow = (jobId, call) => watch({ operation: 'workflow', jobId }, call, read, reads);
    return { getJobWorkflow, use: addParts(connection.parts), safe: settled({ getJobWorkflow }, isWorkflowError) };
}
async function read(work, facts) {
    const { jobId } = facts;
    if (!isSegment(jobId))
        throw fail(facts, 'the id is empty or no id');
    const url = `${work.baseUrl}/api/v2/jobs/${encodeURIComponent(jobId)}/workflow`;
    const call = { ...facts, facts, url, attempts: 0, isAdmitted: false };
    const { redact } = work.credential;
    return perform(call, { read: (answer) => readAnswer(call, answer, redact), lose: (cause) => lose(call, cause, redact) }, work);
}
function lose(call, cause, redact) {
    const { text, facts, isFinal } = explainLoss(cause, redact);
    const error = fail(call, text, { ...facts, isRetryable: !isFinal });
    return { type: facts.kind, error, next: isFinal ? undefined : { isTold: false } };
}
function readAnswer(call, { response, body }, redact) {
    const { status } = response;
    const { format, workflow } = toObject(body);
    if (status === 200 && isObject(workflow) && typeof format === 'string') {
        const { text = '' } = body;
        const isKnown = format === 'save' || format === 'api';
        return { result: isKnown ? { format, workflow, text } : { format: 'unknown', rawFormat: format, workflow, text } };
    }
    const error = failAnswered(call, { response, body }, redact);
    const seconds = readRetryAfter(response.headers);
    const next = error.isRetryable ? { isTold: status === 429 && seconds !== undefined, seconds } : undefined;
    return { type: error.kind === 'workflow' ? error.rawCode : error.kind, error, next };
}
/** The error of a response that is no workflow. */
function failAnswered(call, { response, body }, redact) {
    const { status, headers } = response;
    const saysNothing = status > 0 && status < 300; // the redirects of browsers have the status 0
    const isRetryable = [408, 425, 429].includes(status) || status >= 500 || saysNothing;
    const facts = { redact, retryAfterSeconds: readRetryAfter(headers), status, isRetryable };
    if (status === 200) {
        // The page of a proxy or a truncated body may be a workflow the next time; another shape will not.
        const mayChange = body.kind !== 'json' && body.isFinal !== true;
        return fail(call, '200 with a body that is no workflow', { ...facts, kind: 'decode', isRetryable: mayChange });
    }
    const envelope = toObject(body)['error'];
    if (!isObject(envelope) || typeof envelope['code'] !== 'string') {
        const excerpt = quoteBody(body, redact);
        const location = headers.get('location');
        const to = location === null ? '' : `, redirected to ${location}, which is not followed`;
        return fail(call, `${status}${to}: ${excerpt || 'no body'}`, { ...facts, kind: 'opaque', excerpt });
    }
    const code = knownCodes.find((one) => one === envelope['code']);
    const shown = redactValue(envelope, redact); // it is an object still
    const { code: rawCode, message, details, ...unknownMembers } = shown;
    return fail(call, `${status} ${rawCode}: ${typeof message === 'string' ? message : ''}`, {
        ...facts,
        kind: 'workflow',
        isRetryable: code !== 'deployment_stopped' && isRetryable,
        code,
        rawCode: String(rawCode),
        category: { known: code, body: String(rawCode) },
        unknownMembers,
        ...(isObject(details) ? { details } : {}),
    });
}
