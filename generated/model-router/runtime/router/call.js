/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { backoffMs } from '../http/clock.js';
import { send } from '../http/send.js';
import { answeredFailure, categoryOf, localFailure, lostFailure, stoppedFailure, } from './failures.js';
import { notify } from './hooks.js';
import { nextStep } from './outcome.js';
import { readResponseFacts } from './response-facts.js';
// A server that answers `Retry-After: 0` for ever must not be asked in a busy loop.
const shortestWaitMs = 250;
/** Sends a call until its outcome is known, as the table of retry outcomes says. Throws a `RouterError`. */
export async function perform(call, connection) {
    const { clock, hooks, maxAttempts } = connection;
    const { signal, endsAt, deadlineMs } = call.time;
    const progress = { sent: 0 };
    try {
        for (let counted = 0;;) {
            const attempt = await attemptOnce(call, progress, connection);
            if (attempt.kind === 'success')
                return attempt.answer;
            const step = nextStep(call.repetition, attempt.outcome);
            if (step.kind === 'retry')
                counted += 1;
            if (step.kind === 'stop' || counted >= maxAttempts)
                throw attempt.error(step.kind !== 'stop');
            const waitMs = step.seconds === undefined ? backoffMs(progress.sent, clock) : Math.max(shortestWaitMs, step.seconds * 1000);
            if (clock.now() + waitMs >= endsAt)
                throw stoppedFailure(call, { attempts: progress.sent, deadlineMs }, attempt.error(true));
            notify(hooks.onRetry, { ...attempt.event, waitMs, asTold: step.kind === 'wait' });
            await clock.sleep(waitMs, signal);
        }
    }
    catch (error) {
        if (signal.aborted)
            throw stoppedFailure(call, { attempts: progress.sent }, error);
        throw error;
    }
}
async function attemptOnce(call, progress, connection) {
    const isBilled = call.operation === 'run' || call.operation === 'submit';
    const leave = isBilled ? await connection.limits.enter(call.time.signal) : undefined;
    try {
        const credential = await credentialOf(call, connection);
        progress.sent += 1;
        return await exchange(call, { attempts: progress.sent, credential }, connection);
    }
    finally {
        leave?.();
    }
}
async function credentialOf(call, { credential }) {
    const { headers, owner } = await credential.current().catch((cause) => {
        throw localFailure(call, 'the credential cannot be read', cause);
    });
    if (call.owner === undefined || call.owner === owner)
        return headers;
    const advice = 'set credentialScope if both have one owner';
    throw localFailure(call, `the key was first sent with another credential; ${advice}`);
}
async function exchange(call, { attempts, credential }, connection) {
    const { clock, hooks } = connection;
    const startedAt = clock.now();
    const request = describe(call, attempts, connection);
    notify(hooks.onRequest, request);
    const { signal, endsAt } = call.time;
    const sent = await send({ ...call.outgoing, headers: { ...connection.headers, ...call.outgoing.headers, ...credential } }, {
        fetch: connection.fetch,
        signal,
        timeoutMs: Math.max(1, Math.min(call.timeoutMs, endsAt - startedAt)),
        stream: call.stream === true,
    });
    const outcome = sent.kind === 'lost' ? lost(call, attempts, sent.cause) : received(call, { attempts, sent }, connection);
    const event = {
        ...request,
        facts: outcome.facts,
        durationMs: clock.now() - startedAt,
        attributes: { ...request.attributes, ...outcome.attributes },
    };
    notify(hooks.onResponse, event);
    return outcome.kind === 'success' ? outcome : { ...outcome, event };
}
function lost(call, attempts, cause) {
    const attributes = { 'error.type': 'network' };
    const error = () => lostFailure(call, attempts, cause);
    return { kind: 'failure', outcome: { kind: 'lost' }, error, facts: undefined, attributes };
}
function received(call, { attempts, sent }, { brand, limits, credential }) {
    const { response, body } = sent;
    const { status } = response;
    const facts = readResponseFacts(response.headers, brand);
    const category = categoryOf(response.headers, body, brand);
    const isSuccess = call.isSuccess(status, body.kind === 'json' ? body.value : undefined);
    const attributes = { 'http.response.status_code': status, ...(isSuccess ? {} : { 'error.type': category.known }) };
    limits.noteSpend(facts.committedSpend);
    if (status === 429 && category.known === 'concurrency_limit_exceeded')
        limits.slowDown(facts.retryAfterSeconds);
    if (isSuccess && body.kind !== 'malformed' && (body.kind !== 'empty' || status === 304))
        return { kind: 'success', answer: { response, status, body, facts, attempts }, facts, attributes };
    // A success that broke off counts as no response: the same key fetches the result again.
    const outcome = isSuccess
        ? { kind: 'lost' }
        : { kind: 'answered', status, category, retryAfterSeconds: facts.retryAfterSeconds };
    const answered = { status, body: body.kind === 'stream' ? { kind: 'empty' } : body, facts, category };
    const { redact } = credential;
    const error = (isRetryable) => answeredFailure(call, answered, { attempts, isRetryable, isSuccess, redact });
    return { kind: 'failure', outcome, error, facts, attributes };
}
function describe({ operation, model, key, outgoing }, attempts, { credential }) {
    return {
        operation,
        model,
        key,
        attributes: {
            'http.request.method': outgoing.method,
            'url.full': credential.redact(outgoing.url),
            'http.request.resend_count': attempts - 1,
        },
    };
}
