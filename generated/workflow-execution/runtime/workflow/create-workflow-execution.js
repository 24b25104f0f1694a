/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { backoffMs, systemClock } from '../http/clock.js';
import { createCredential } from '../http/credential.js';
import { send } from '../http/send.js';
import { readFailure, readJobWorkflow } from './read-answer.js';
import { WorkflowError } from './workflow-error.js';
const attemptTimeoutMs = 60_000;
const shortestWaitMs = 250;
export function createWorkflowExecution(options) {
    if (!URL.canParse(options.baseUrl))
        throw new TypeError('createWorkflowExecution: baseUrl is no absolute URL');
    const { token } = options;
    const connection = {
        headers: {},
        fetch: (request) => globalThis.fetch(request),
        maxAttempts: 4,
        hooks: {},
        clock: systemClock,
        ...options,
        baseUrl: options.baseUrl.replace(/\/+$/, ''),
        credential: createCredential(token === undefined ? undefined : { header: 'Authorization', secret: token, scope: '' }),
    };
    return { getJobWorkflow: (jobId, call = {}) => getJobWorkflow(jobId, call, connection) };
}
async function getJobWorkflow(jobId, options, connection) {
    const { clock, maxAttempts, hooks } = connection;
    const { signal = new AbortController().signal, deadlineMs = 5 * 60_000 } = options;
    const endsAt = clock.now() + deadlineMs;
    const url = jobUrl(jobId, connection);
    let attempts = 0;
    try {
        for (let counted = 0;;) {
            attempts += 1;
            const sent = await attempt(url, { signal, timeoutMs: Math.min(attemptTimeoutMs, endsAt - clock.now()) }, connection);
            const event = eventOf(jobId, { url, sent, attempts });
            notify(hooks.onResponse, event);
            const outcome = read(jobId, { sent, attempts }, connection);
            if (outcome.kind === 'workflow')
                return outcome.value;
            const { error, retryAfterSeconds: seconds, isTold } = outcome;
            if (!isTold)
                counted += 1;
            if (!error.isRetryable || counted >= maxAttempts)
                throw error;
            const waitMs = seconds === undefined ? backoffMs(attempts, clock) : Math.max(shortestWaitMs, seconds * 1000);
            if (clock.now() + waitMs >= endsAt)
                throw stopped(jobId, { attempts, deadlineMs }, error);
            notify(hooks.onRetry, { ...event, waitMs });
            await clock.sleep(waitMs, signal);
        }
    }
    catch (error) {
        if (signal.aborted)
            throw stopped(jobId, { attempts }, error);
        throw error;
    }
}
async function attempt(url, { signal, timeoutMs }, { credential, headers, fetch }) {
    const { headers: own } = await credential.current();
    return send({ method: 'GET', url, headers: { ...headers, ...own } }, { fetch, signal, timeoutMs: Math.max(1, timeoutMs) });
}
function read(jobId, { sent, attempts }, { credential }) {
    const every = { jobId, attempts, isRetryable: true };
    if (sent.kind === 'lost' || sent.body.kind === 'stream') {
        const cause = sent.kind === 'lost' ? sent.cause : undefined;
        return {
            kind: 'failure',
            error: new WorkflowError(`workflow of job ${jobId}: no response`, { kind: 'network', ...every }, cause),
        };
    }
    const { response, body } = sent;
    const { status } = response;
    const header = response.headers.get('retry-after')?.trim() ?? '';
    const retryAfterSeconds = /^\d{1,9}$/.test(header) ? Number(header) : undefined;
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
    return {
        kind: 'failure',
        error: new WorkflowError(`workflow of job ${jobId}: 200 with a body that is no workflow`, facts),
    };
}
function jobUrl(jobId, { baseUrl }) {
    // A URL drops `.` and `..`, so such an id would reach another path.
    if (jobId !== '' && jobId !== '.' && jobId !== '..' && jobId.isWellFormed())
        return `${baseUrl}/api/v2/jobs/${encodeURIComponent(jobId)}/workflow`;
    throw new WorkflowError('workflow of a job: the id is empty or no id', {
        kind: 'local',
        jobId,
        attempts: 0,
        isRetryable: false,
    });
}
function stopped(jobId, { attempts, deadlineMs }, cause) {
    const every = { jobId, attempts, isRetryable: true };
    return deadlineMs === undefined
        ? new WorkflowError(`workflow of job ${jobId}: aborted`, { kind: 'aborted', ...every }, cause)
        : new WorkflowError(`workflow of job ${jobId}: not read within ${deadlineMs} ms`, { kind: 'timeout', deadlineMs, ...every }, cause);
}
function eventOf(jobId, { url, sent, attempts }) {
    const status = sent.kind === 'answered' ? { 'http.response.status_code': sent.response.status } : {};
    return {
        jobId,
        attributes: { 'http.request.method': 'GET', 'url.full': url, 'http.request.resend_count': attempts - 1, ...status },
    };
}
/** An observer that throws must not cost the result. */
function notify(hook, event) {
    try {
        hook?.(event);
    }
    catch {
        // The call goes on.
    }
}
