/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { reachable } from './base-url.js';
import { mostBudget, repetitionPrice } from './call.js';
import { DeadlinePassed, readElapsed, waitMs, within } from './clock.js';
import { notifyAll, passThrough } from './observers.js';
import { present } from './present.js';
import { readBody } from './read-body.js';
import { redactValue } from './redact-value.js';
import { mergeHeaders } from './transport.js';
/** Sends a question until its outcome is known. Rejects with errors of its client only. */
export async function send(question, policy, call) {
    const { clock, budget, parts } = call.client;
    const { isAdmitted = false, expiry } = question;
    const progress = {
        attempts: 0,
        shownUrl: '',
        sentAt: 0,
        repetitions: 0,
        waitedMs: 0,
        isOpen: false,
        mayHaveRun: false,
        isAdmitted,
    };
    const expire = (cause) => call.client.fail(question.identity, {
        kind: 'local',
        message: expiry?.message ?? '',
        ...openness(progress),
        cause,
    });
    let isRenewed = false;
    try {
        for (;;) {
            const enteredAt = readElapsed(clock);
            const leave = await policy.enter?.(progress.isAdmitted ? Number.POSITIVE_INFINITY : call.maxWaitMs - progress.waitedMs);
            progress.waitedMs += readElapsed(clock) - enteredAt;
            const attempt = await tryOnce(question, progress, expire, call).finally(leave);
            const decision = policy.decide(attempt, progress);
            const event = describeAttempt(question, progress, call, { attempt, decision });
            notifyAll(parts, 'onResponse', event);
            if ('result' in decision) {
                budget.left = Math.min(mostBudget, budget.left + (progress.repetitions > 0 ? repetitionPrice : 1));
                return decision.result;
            }
            progress.mayHaveRun ||= decision.mayHaveRun === true;
            progress.isAdmitted ||= decision.isAdmitted === true;
            // A token that was renewed meanwhile was not refused. The call keeps to one that works.
            if ('response' in attempt && attempt.response.status === 401 && question.isRepeatable !== false && !isRenewed) {
                isRenewed = true;
                if (await renewAccess(question, progress, call))
                    continue;
            }
            const ms = planWait(decision, question, progress, call);
            if (expiry !== undefined && clock.now() + ms >= expiry.at)
                throw expire(decision.error);
            const status = 'response' in attempt ? `${attempt.response.status} ` : '';
            const reason = `${status}${decision.type ?? 'broken off'}`;
            notifyAll(parts, 'onRetry', { ...event, waitMs: ms, asTold: decision.next?.isTold, reason });
            await clock.sleep(ms, call.signal);
        }
    }
    catch (error) {
        throw explainEnd(error, question.identity, openness(progress), call);
    }
}
/** How long to wait before a question is sent again. Throws the error of the attempt where it is not. */
function planWait({ error, next }, { isAdmitted }, progress, { client: { clock, budget }, maxAttempts, maxWaitMs, endsAt }) {
    if (next === undefined)
        throw error;
    if (!next.isTold) {
        progress.repetitions += 1;
        const price = isAdmitted ? 0 : repetitionPrice; // what was admitted goes on
        if (progress.repetitions >= maxAttempts || budget.left < price)
            throw error;
        budget.left -= price;
    }
    // Zero seconds, or a date in the past, name no time: it backs off, since such an answer uses up no attempt.
    const ms = waitMs(next.seconds || undefined, progress.attempts, clock);
    progress.waitedMs += ms;
    if (!progress.isAdmitted && progress.waitedMs > maxWaitMs)
        throw error;
    if (readElapsed(clock) + ms < endsAt)
        return ms;
    throw new DeadlinePassed(`; the last attempt: ${error.message}`, undefined, error);
}
/** One attempt. Redirects are not followed: one would carry the credential to a place that its owner did not choose. */
async function tryOnce(question, progress, expire, call) {
    const { client, signal, secrets } = call;
    const { method = 'GET', url, body = null, timeoutMs = 60_000, maxBytes = client.maxResponseBytes, expiry } = question;
    const access = call.access ?? (await readAccess(question.identity, progress, call));
    call.access = access;
    const headers = mergeHeaders(call.headers, question.headers, access.headers);
    const refuse = (message) => client.fail(question.identity, { kind: 'local', message, ...openness(progress) });
    if (typeof headers === 'string')
        throw refuse(headers in access.headers ? `the credential cannot be sent in a header` : `the header ${headers} cannot be sent`);
    if (!reachable.test(url))
        throw refuse('the address is none of http or https without a user name');
    signal?.throwIfAborted();
    if (expiry !== undefined && client.clock.now() >= expiry.at)
        throw expire();
    if (readElapsed(client.clock) >= call.endsAt)
        throw new DeadlinePassed();
    secrets.add(access.secret);
    progress.attempts += 1;
    progress.sentAt = readElapsed(client.clock);
    const event = describeAttempt(question, progress, call);
    notifyAll(client.parts, 'onRequest', event);
    const controller = new AbortController();
    let isSent = false;
    const receive = async () => {
        const fetch = passThrough((to, init) => {
            isSent = true;
            progress.isOpen = true;
            return client.fetch(to, init);
        }, client.parts, event);
        const cache = method === 'GET' && hasCache ? { cache: 'no-store' } : {};
        const response = await fetch(url, {
            method,
            headers,
            body,
            redirect: 'manual',
            signal: controller.signal,
            ...cache,
        });
        const end = (why) => controller.abort(why);
        if (question.isStream && response.ok && response.status < 202)
            return { response, body: { kind: 'stream' }, end };
        // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
        const receipt = readBody(response, maxBytes).catch((cause) => {
            return { kind: 'broken', why: `the body broke off (${explainCause(cause).code})`, cause };
        });
        return { response, body: await receipt, end };
    };
    try {
        const time = { clock: client.clock, signal, endsAt: call.endsAt };
        const answer = await within(receive(), time, call.attemptTimeoutMs ?? timeoutMs);
        progress.isOpen = progress.mayHaveRun;
        return answer;
    }
    catch (cause) {
        controller.abort(cause);
        signal?.throwIfAborted();
        if (cause instanceof DeadlinePassed && cause.limitMs === undefined)
            throw cause; // the whole call is over
        const loss = explainLoss(cause, isSent, call);
        progress.isOpen = progress.mayHaveRun || (isSent && !loss.isUnsent);
        return loss;
    }
}
const hasCache = typeof Request === 'function' && 'cache' in Request.prototype;
const openness = ({ isOpen, mayHaveRun, attempts }) => ({ isOpen: isOpen || mayHaveRun, attempts });
function describeAttempt({ method = 'GET', url, facts }, progress, call, end) {
    const { attempts, sentAt } = progress;
    progress.shownUrl ||= call.redact(url); // as it is the same for all attempts
    const status = end && 'response' in end.attempt ? end.attempt.response.status : undefined;
    const attributes = {
        'http.request.method': method,
        'url.full': progress.shownUrl,
        'http.request.resend_count': attempts - 1,
        ...present({ 'http.response.status_code': status, 'error.type': end?.decision.type }),
    };
    const ended = end && { facts: end.decision.facts, durationMs: readElapsed(call.client.clock) - sentAt };
    return { callId: call.id, attempt: attempts, ...facts, ...ended, attributes };
}
/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
async function readAccess(identity, progress, { client, signal, endsAt }) {
    const { credential, clock, fail } = client;
    const reading = credential.read().catch((cause) => {
        throw fail(identity, { kind: 'local', message: 'the credential cannot be read', cause, ...openness(progress) });
    });
    return credential.isFixed ? reading : within(reading, { clock, signal, endsAt });
}
/** Whether there is another secret than the one that was refused. */
async function renewAccess({ identity }, progress, call) {
    if (call.client.credential.isFixed)
        return false;
    const access = await readAccess(identity, progress, call);
    const isOther = access.secret !== call.access?.secret;
    call.access = access;
    return isOther;
}
/** What a call rejects with where a wait of it ended with `error`. */
export function explainEnd(error, identity, state, { client, signal, deadlineMs: wholeMs, redact }) {
    const facts = { isRetryable: true, ...state };
    if (signal?.aborted)
        return client.fail(identity, { ...facts, kind: 'aborted', message: 'aborted', cause: redactValue(error, redact) });
    if (!(error instanceof DeadlinePassed))
        return error;
    const { limitMs: deadlineMs = wholeMs, cause, message: detail } = error;
    const message = `not ${state.attempts > 0 ? 'finished' : 'sent'} within ${deadlineMs} ms${detail}`;
    return client.fail(identity, { ...facts, kind: 'timeout', deadlineMs, message, cause });
}
/** What Node says of a request that got no connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** The same of a connection that will not do the next time either: its certificate, another TLS or none, or a port that `fetch` refuses. */
const unfit = /^(DEPTH_|SELF_|UNABLE_|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(PACKET_L|.*(VERS|PROTO|HANDS))|bad port$)/;
/** The code of a cause, and what it says of the connection: whether nothing was sent, and whether it will be so again. */
function explainCause(cause) {
    const { cause: inner = cause } = Object(cause);
    const { message = cause, code: given = message, syscall } = Object(inner);
    const code = String(given);
    const isFinal = unfit.test(code);
    return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}
/** Why an attempt has no answer. */
export function explainLoss(lost, isSent, { redact }) {
    const cause = redactValue(lost, redact);
    if (lost instanceof DeadlinePassed) {
        const { limitMs: deadlineMs = 0 } = lost;
        return {
            kind: 'timeout',
            message: `no answer within ${deadlineMs} ms`,
            cause,
            deadlineMs,
            isUnsent: false,
            isFinal: false,
        };
    }
    const words = redact(String(Object(lost).message ?? lost));
    if (!isSent || refusesSignal(lost))
        return { kind: 'local', message: `it was not sent: ${words}`, cause, deadlineMs: 0, isUnsent: true, isFinal: true };
    const { code, isUnsent, isFinal } = explainCause(lost);
    const message = `${isUnsent ? 'no connection to the server' : 'no response'} (${redact(code)})`;
    return { kind: 'network', message, cause, deadlineMs: 0, isUnsent, isFinal };
}
/** Whether this platform's `fetch` refuses the signals of this program, as Node's does those of jsdom: nothing was sent then. */
function refusesSignal(lost) {
    if (!(lost instanceof TypeError) || lost.cause !== undefined || typeof Request !== 'function')
        return false;
    try {
        return new Request('http://localhost/', { signal: new AbortController().signal }) === undefined;
    }
    catch {
        return true;
    }
}
