/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, systemClock, waitMs, within } from '../http/clock.js';
import { createCredential, redactCause } from '../http/credential.js';
import { notify } from '../http/notify.js';
import { readOrigin, send, toTransport } from '../http/send.js';
import { readFailure, readJobWorkflow } from './read-answer.js';
import { WorkflowError } from './workflow-error.js';
const attemptTimeoutMs = 60_000;
export function createWorkflowExecution(options) {
    if (readOrigin(options.baseUrl) === undefined)
        throw new TypeError('createWorkflowExecution: baseUrl is no absolute URL of http or https without a user name');
    const { token } = options;
    const connection = {
        headers: {},
        maxAttempts: 4,
        clock: systemClock,
        ...options,
        observers: options.observers ?? options.hooks ?? {},
        fetch: toTransport(options.fetch ?? ((request) => globalThis.fetch(request))),
        baseUrl: options.baseUrl.replace(/\/+$/, ''),
        credential: createCredential(token === undefined ? undefined : { header: 'Authorization', secret: token, scope: '' }),
    };
    return { getJobWorkflow: (jobId, call = {}) => getJobWorkflow(jobId, call, connection) };
}
async function getJobWorkflow(jobId, options, connection) {
    const { clock, maxAttempts, observers, fetch, headers } = connection;
    const sending = { fetch, headers, redact: connection.credential.redact };
    const { signal = new AbortController().signal, deadlineMs = 5 * 60_000 } = options;
    const endsAt = clock.now() + deadlineMs;
    const url = jobUrl(jobId, connection);
    let attempts = 0;
    try {
        for (let counted = 0;;) {
            const credential = await readCredential(jobId, { signal, ms: endsAt - clock.now() }, connection);
            attempts += 1;
            const timeoutMs = Math.max(1, Math.min(attemptTimeoutMs, endsAt - clock.now()));
            const sent = await send({ method: 'GET', url, headers: credential }, { ...sending, signal, timeoutMs });
            const event = describeAttempt(jobId, { url, sent, attempts });
            void notify(observers.onResponse, event);
            const outcome = read(jobId, { sent, attempts }, connection);
            if (outcome.kind === 'workflow')
                return outcome.value;
            const { error, retryAfterSeconds: seconds, isTold } = outcome;
            if (!isTold)
                counted += 1;
            if (!error.isRetryable || counted >= maxAttempts)
                throw error;
            const wait = waitMs(seconds, attempts, clock);
            if (clock.now() + wait >= endsAt)
                throw new DeadlinePassed('', { cause: error });
            void notify(observers.onRetry, { ...event, waitMs: wait });
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
function describeAttempt(jobId, { url, sent, attempts }) {
    const status = sent.kind === 'answered' ? { 'http.response.status_code': sent.response.status } : {};
    return {
        jobId,
        attributes: { 'http.request.method': 'GET', 'url.full': url, 'http.request.resend_count': attempts - 1, ...status },
    };
}
