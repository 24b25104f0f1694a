/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, waitMs, within } from '../http/clock.js';
import { notify } from '../http/notify.js';
import { send } from '../http/send.js';
import { answeredFailure, categorise, isUnsent, localFailure, lostFailure, stoppedFailure, } from './failures.js';
import { mayHaveRun, nextStep } from './outcome.js';
import { readResponseFacts } from './response-facts.js';
const dayMs = 24 * 60 * 60 * 1000;
/** The deadline of a call that begins now. */
export function startDeadline({ signal = new AbortController().signal, deadlineMs, }, { clock }, usualMs = dayMs) {
    const lastsMs = deadlineMs ?? usualMs;
    if (Number.isNaN(lastsMs))
        throw new TypeError('deadlineMs is no number');
    return { signal, deadlineMs: lastsMs, endsAt: clock.now() + lastsMs };
}
/** Sends a call until its outcome is known, as the table of retry outcomes says. Throws a `RouterError`. */
export async function perform(call, connection) {
    const { clock, observers, maxAttempts } = connection;
    const { signal, endsAt } = call.time;
    const progress = { sent: 0 };
    let current = call;
    try {
        for (let counted = 0;;) {
            const attempt = await attemptOnce(current, progress, connection);
            if (attempt.kind === 'success')
                return attempt.answer;
            current = isBilled(call) && mayHaveRun(attempt.outcome) ? { ...current, mayHaveRun: true } : current;
            const step = nextStep(call.repetition, attempt.outcome);
            if (step.kind === 'retry')
                counted += 1;
            if (step.kind === 'stop' || counted >= maxAttempts)
                throw attempt.error(step.kind !== 'stop');
            const wait = waitMs(step.seconds, progress.sent, clock);
            if (clock.now() + wait >= endsAt)
                throw new DeadlinePassed('', { cause: attempt.error(true) });
            void notify(observers.onRetry, { ...attempt.event, waitMs: wait, asTold: step.kind === 'wait' });
            await clock.sleep(wait, signal);
        }
    }
    catch (error) {
        throw explainEnd(error, current, progress.sent);
    }
}
/** What a call throws where a wait of it ended with `error`. */
export function explainEnd(error, call, attempts) {
    const { signal, deadlineMs } = call.time;
    if (signal.aborted)
        return stoppedFailure(call, { attempts }, error);
    return error instanceof DeadlinePassed ? stoppedFailure(call, { attempts, deadlineMs }, error.cause) : error;
}
const isBilled = ({ operation }) => operation === 'run' || operation === 'submit';
async function attemptOnce(call, progress, connection) {
    if (connection.clock.now() >= call.time.endsAt)
        throw new DeadlinePassed();
    const leave = isBilled(call) ? await connection.limits.enter(call.time) : undefined;
    try {
        const { headers: credential, owner } = await readCredential(call, call.time, connection);
        if (call.owner !== undefined && call.owner !== owner)
            throw anotherOwner(call, progress.sent);
        progress.sent += 1;
        return await exchange(call, { attempts: progress.sent, credential }, connection);
    }
    finally {
        leave?.();
    }
}
/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
function readCredential(call, { signal, endsAt }, { credential, clock }) {
    const current = credential.current().catch((cause) => {
        throw localFailure(call, 'the credential cannot be read', { cause });
    });
    return credential.isFixed ? current : within(current, { signal, ms: endsAt - clock.now() });
}
/** Who a call belongs to, where it is asked for before anything is sent. */
export async function readOwner(call, time, connection) {
    try {
        return (await readCredential(call, time, connection)).owner;
    }
    catch (error) {
        throw explainEnd(error, { ...call, time }, 0);
    }
}
export function anotherOwner(call, attempts) {
    const advice = 'set credentialScope if both have one owner';
    return localFailure(call, `the key was first sent with another credential; ${advice}`, { attempts });
}
async function exchange(call, { attempts, credential }, connection) {
    const { clock, observers } = connection;
    const startedAt = clock.now();
    const request = describe(call, attempts, connection);
    void notify(observers.onRequest, request);
    const { method = 'GET', url, headers, body } = call;
    const { signal, endsAt } = call.time;
    const usualMs = call.timeoutMs ?? 60_000;
    const timeoutMs = Math.max(1, Math.min(usualMs, endsAt - startedAt));
    const sent = await send({ method, url, headers: { ...headers, ...credential }, body }, {
        fetch: connection.fetch,
        headers: connection.headers,
        signal,
        timeoutMs,
        redact: connection.credential.redact,
        stream: call.stream === true,
    });
    if (sent.kind === 'unsendable')
        throw localFailure(call, 'the address, a header or the credential is not one that can be sent', {
            attempts: attempts - 1,
        });
    const outcome = sent.kind === 'lost'
        ? lost(call, { attempts, cause: sent.cause }, connection)
        : received(call, { attempts, sent }, connection);
    const event = {
        ...request,
        facts: outcome.facts,
        durationMs: clock.now() - startedAt,
        attributes: { ...request.attributes, ...outcome.attributes },
    };
    void notify(observers.onResponse, event);
    if (sent.kind === 'lost' && sent.isTimeout && timeoutMs < usualMs)
        throw new DeadlinePassed();
    return outcome.kind === 'success' ? outcome : { ...outcome, event };
}
function lost(call, { attempts, cause }, { credential: { redact } }) {
    const attributes = { 'error.type': 'network' };
    const error = () => lostFailure(call, { attempts, redact }, cause);
    return { kind: 'failure', outcome: { kind: 'lost', isUnsent: isUnsent(cause) }, error, facts: undefined, attributes };
}
function received(call, { attempts, sent }, { brand, limits, credential }) {
    const { response, body } = sent;
    const { status } = response;
    const { redact } = credential;
    const facts = readResponseFacts(response.headers, { brand, redact });
    const category = categorise(response.headers, body, { brand, redact });
    const isSuccess = call.isSuccess?.(status, body) ?? status === 200;
    const attributes = { 'http.response.status_code': status, ...(isSuccess ? {} : { 'error.type': category.known }) };
    limits.noteSpend(facts.committedSpend);
    if (status === 429 && category.known === 'concurrency_limit_exceeded')
        limits.slowDown(facts.retryAfterSeconds);
    if (status === 429 && category.known === 'rate_limited')
        limits.pause(facts.retryAfterSeconds);
    if (isSuccess && body.kind !== 'malformed' && (body.kind !== 'empty' || status === 304))
        return { kind: 'success', answer: { response, status, body, facts, attempts }, facts, attributes };
    // A success that broke off counts as no response: the same key fetches the result again.
    const outcome = isSuccess
        ? { kind: 'lost' }
        : { kind: 'answered', status, category, retryAfterSeconds: facts.retryAfterSeconds };
    const answered = { status, body: body.kind === 'stream' ? { kind: 'empty' } : body, facts, category };
    const error = (isRetryable) => answeredFailure(call, answered, { attempts, isRetryable, isSuccess, redact });
    return { kind: 'failure', outcome, error, facts, attributes };
}
function describe({ operation, model, key, method = 'GET', url }, attempts, { credential }) {
    return {
        operation,
        model,
        key,
        attributes: {
            'http.request.method': method,
            'url.full': credential.redact(url),
            'http.request.resend_count': attempts - 1,
        },
    };
}
