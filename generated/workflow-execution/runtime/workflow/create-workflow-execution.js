/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { nameAgent, readBaseUrl, readVariable } from '../http/base-url.js';
import { DeadlinePassed, readElapsed, readRetryAfter, systemClock, waitMs, within } from '../http/clock.js';
import { createCredential, redactCause } from '../http/credential.js';
import { passThrough, takeParts } from '../http/middleware.js';
import { notifyAll } from '../http/notify.js';
import { randomKey } from '../http/random-key.js';
import { send } from '../http/send.js';
import { settled } from '../http/settled.js';
import { readFailure, readJobWorkflow } from './read-answer.js';
import { isWorkflowError, WorkflowError } from './workflow-error.js';
const attemptTimeoutMs = 60_000;
const maxResponseBytes = 64 * 1024 * 1024;
export function createWorkflowExecution(options = {}) {
    const address = options.baseUrl ?? readVariable('WORKFLOW_EXECUTION_URL') ?? '';
    const checked = readBaseUrl(address, '/api/v2');
    if ('mistake' in checked)
        throw new TypeError(`createWorkflowExecution: ${checked.mistake}`);
    const secret = options.token ?? readVariable('WORKFLOW_EXECUTION_TOKEN');
    const { headers = {}, maxAttempts = 4, clock = systemClock } = options;
    const connection = {
        baseUrl: checked.baseUrl,
        headers: { ...nameAgent('workflow-execution'), ...headers },
        maxAttempts,
        clock,
        fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
        credential: createCredential(secret === undefined ? undefined : { header: 'Authorization', secret, scope: '' }),
        observers: [options.observers ?? options.hooks ?? {}],
        middleware: [],
    };
    const methods = { getJobWorkflow: (jobId, call = {}) => watchCall(jobId, call, connection) };
    return { ...methods, use: takeParts(connection), safe: settled(methods, isWorkflowError) };
}
/** A call with an id of its own, whose start and end observers see. */
async function watchCall(jobId, options, connection) {
    const { observers, clock } = connection;
    const unknown = Object.keys(options).find((name) => name !== 'signal' && name !== 'deadlineMs');
    if (unknown !== undefined)
        throw localFailure(jobId, `${unknown} is no option; there are signal, deadlineMs`);
    const event = { callId: randomKey(), operation: 'workflow', jobId };
    const startedAt = readElapsed(clock);
    const end = (outcome) => notifyAll(observers, 'onEnd', {
        ...event,
        durationMs: readElapsed(clock) - startedAt,
        ...outcome,
    });
    notifyAll(observers, 'onStart', event);
    try {
        const workflow = await getJobWorkflow(event, options, connection);
        end({});
        return workflow;
    }
    catch (error) {
        end({ error: error }); // nothing else is thrown
        throw error;
    }
}
async function getJobWorkflow(call, options, connection) {
    const { clock, maxAttempts, observers, headers } = connection;
    const { jobId } = call;
    const { signal = new AbortController().signal, deadlineMs = 5 * 60_000 } = options;
    const endsAt = readElapsed(clock) + deadlineMs;
    const url = jobUrl(jobId, connection);
    let attempts = 0;
    try {
        for (let counted = 0;;) {
            const credential = await readCredential(jobId, { signal, ms: endsAt - readElapsed(clock) }, connection);
            attempts += 1;
            const facts = { ...call, attempt: attempts };
            const request = describeAttempt(facts, url);
            notifyAll(observers, 'onRequest', request);
            const timeoutMs = Math.max(1, Math.min(attemptTimeoutMs, endsAt - readElapsed(clock)));
            const fetch = passThrough(facts, connection);
            const sending = { fetch, headers, maxBytes: maxResponseBytes, signal, timeoutMs };
            const sent = await send({ method: 'GET', url, headers: credential }, sending);
            const event = describeAttempt(facts, url, sent);
            notifyAll(observers, 'onResponse', event);
            const outcome = read(jobId, { sent, attempts }, connection);
            if (outcome.kind === 'workflow')
                return outcome.value;
            const { error, retryAfterSeconds: seconds, isTold } = outcome;
            if (!isTold)
                counted += 1;
            if (!error.isRetryable || counted >= maxAttempts)
                throw error;
            const wait = waitMs(seconds, attempts, clock);
            if (readElapsed(clock) + wait >= endsAt)
                throw new DeadlinePassed('', { cause: error });
            notifyAll(observers, 'onRetry', { ...event, waitMs: wait, reason: nameReason(error) });
            await clock.sleep(wait, signal);
        }
    }
    catch (error) {
        throw explainEnd(error, jobId, { signal, attempts, deadlineMs });
    }
}
/** What a call throws where a wait of it ended with `error`. */
function explainEnd(error, jobId, { signal, attempts, deadlineMs }) {
    const every = { jobId, attempts, isRetryable: true };
    if (signal.aborted)
        return failure({ kind: 'aborted', ...every }, 'aborted', error);
    if (!(error instanceof DeadlinePassed))
        return error;
    return failure({ kind: 'timeout', deadlineMs, ...every }, `not read within ${deadlineMs} ms`, error.cause);
}
async function readCredential(jobId, time, { credential }) {
    if (time.ms <= 0)
        throw new DeadlinePassed();
    const current = credential.current().catch((cause) => {
        throw localFailure(jobId, 'the token cannot be read', cause);
    });
    return (await within(current, time)).headers;
}
function read(jobId, { sent, attempts }, { credential }) {
    const every = { jobId, attempts, isRetryable: true };
    if (sent.kind === 'unsendable')
        throw localFailure(jobId, 'a header or the token is not one that can be sent');
    if (sent.kind === 'lost' || sent.body.kind === 'stream') {
        const cause = sent.kind === 'lost' ? redactCause(sent.cause, credential.redact) : undefined;
        return { kind: 'failure', error: failure({ kind: 'network', ...every }, 'no response', cause) };
    }
    const { response, body } = sent;
    const { status } = response;
    const retryAfterSeconds = readRetryAfter(response.headers);
    if (status !== 200) {
        const error = readFailure({ jobId, status, body, retryAfterSeconds, attempts }, credential.redact);
        return { kind: 'failure', error, retryAfterSeconds, isTold: status === 429 && retryAfterSeconds !== undefined };
    }
    const value = readJobWorkflow(body);
    if (value !== undefined)
        return { kind: 'workflow', value };
    // A truncated body may be whole the next time; another shape will not.
    const isRetryable = body.kind === 'malformed' || body.kind === 'empty';
    const facts = { kind: 'decode', ...every, isRetryable, status, retryAfterSeconds };
    return { kind: 'failure', error: failure(facts, '200 with a body that is no workflow') };
}
function jobUrl(jobId, { baseUrl }) {
    // A URL drops `.` and `..`, so such an id would reach another path.
    if (jobId !== '' && jobId !== '.' && jobId !== '..' && jobId.isWellFormed())
        return `${baseUrl}/api/v2/jobs/${encodeURIComponent(jobId)}/workflow`;
    throw localFailure(jobId, 'the id is empty or no id');
}
function failure(facts, message, cause) {
    return new WorkflowError(`workflow of job ${facts.jobId}: ${message}`, facts, cause);
}
function localFailure(jobId, message, cause) {
    const facts = { kind: 'local', jobId, attempts: 0, isRetryable: false };
    return failure(facts, message, cause);
}
/** Of words that hold no body. */
function nameReason(error) {
    return 'status' in error ? `${error.status} ${error.kind === 'workflow' ? error.rawCode : error.kind}` : error.kind;
}
function describeAttempt(facts, url, sent) {
    const status = sent?.kind === 'answered' ? { 'http.response.status_code': sent.response.status } : {};
    const resent = facts.attempt - 1;
    return {
        ...facts,
        attributes: { 'http.request.method': 'GET', 'url.full': url, 'http.request.resend_count': resent, ...status },
    };
}
