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
import { redactCause } from './redactor.js';
import { mergeHeaders } from './transport.js';
/** Sends a call until its outcome is known. Rejects with errors of its client only. */
export async function send(call, policy) {
    const { client, maxAttempts, maxWaitMs, signal } = call;
    const { clock, budget, parts, credential } = client;
    const { identity, expiry, method = 'GET', url } = policy;
    const progress = { attempts: 0, isOpen: false, mayHaveRun: false };
    const refuse = (message, cause) => client.fail(identity, { kind: 'local', message, cause, ...openness(progress) });
    const readAccess = async () => {
        const reading = credential.read().catch((cause) => {
            throw refuse('the credential cannot be read', cause);
        });
        return credential.isFixed ? reading : within(reading, { clock, signal, endsAt: call.endsAt });
    };
    const shownUrl = parts.length === 0 ? '' : call.redact(url);
    const describe = (more, attributes) => ({
        ...{ callId: call.id, attempt: progress.attempts, ...policy.facts, ...more },
        attributes: {
            'http.request.method': method,
            'url.full': shownUrl,
            'http.request.resend_count': progress.attempts - 1,
            ...present(attributes),
        },
    });
    let [repetitions, waitedMs, isRenewed, isAdmitted] = [0, 0, false, policy.isAdmitted === true];
    try {
        for (;;) {
            const enteredAt = readElapsed(clock);
            const leave = await policy.enter?.(isAdmitted ? Number.POSITIVE_INFINITY : maxWaitMs - waitedMs);
            let sentAt = readElapsed(clock);
            waitedMs += sentAt - enteredAt;
            let attempt;
            try {
                call.access ??= await readAccess();
                const headers = mergeHeaders(call.headers, policy.headers, call.access.headers);
                if (typeof headers === 'string')
                    throw refuse(`the ${headers in call.access.headers ? 'credential' : `header ${headers}`} cannot be sent`);
                if (!reachable.test(url))
                    throw refuse('the address must be one of http or https without a user name');
                signal?.throwIfAborted();
                if (expiry !== undefined && clock.now() >= expiry.at)
                    throw refuse(expiry.message);
                sentAt = readElapsed(clock);
                if (sentAt >= call.endsAt)
                    throw new DeadlinePassed();
                call.secrets.add(call.access.secret);
                progress.attempts += 1;
                const event = parts.length === 0 ? {} : describe({}, {});
                notifyAll(parts, 'onRequest', event);
                attempt = await sendOnce(call, policy, progress, headers, event);
            }
            finally {
                leave?.();
            }
            const status = 'response' in attempt ? attempt.response.status : undefined;
            const decision = 'response' in attempt ? policy.decide(attempt, progress) : decideLoss(client, policy, attempt, progress);
            const ended = { facts: decision.facts, durationMs: readElapsed(clock) - sentAt };
            const event = parts.length === 0 ? {} : describe(ended, { 'http.response.status_code': status, 'error.type': decision.type });
            notifyAll(parts, 'onResponse', event);
            if ('result' in decision) {
                budget.left = Math.min(mostBudget, budget.left + (repetitions > 0 ? repetitionPrice : 1));
                return decision.result;
            }
            const { error, next } = decision;
            progress.mayHaveRun ||= decision.mayHaveRun === true;
            isAdmitted ||= decision.isAdmitted === true;
            // A token that was renewed meanwhile was not refused. The call keeps to one that works.
            if (status === 401 && policy.isRepeatable !== false && !isRenewed && !credential.isFixed) {
                isRenewed = true;
                const refused = call.access.secret;
                call.access = await readAccess();
                if (call.access.secret !== refused)
                    continue;
            }
            if (next === undefined)
                throw error;
            if (!next.isTold) {
                repetitions += 1;
                const price = policy.isAdmitted ? 0 : repetitionPrice; // what was admitted goes on
                if (repetitions >= maxAttempts || budget.left < price)
                    throw error;
                budget.left -= price;
            }
            // Zero, or a date in the past, is not a time: it backs off, since such an answer uses up no attempt.
            const ms = waitMs(next.ms || undefined, progress.attempts, clock);
            waitedMs += ms;
            if (!isAdmitted && waitedMs > maxWaitMs)
                throw error;
            if (readElapsed(clock) + ms >= call.endsAt)
                throw new DeadlinePassed(`; the last attempt: ${error.message}`, undefined, error);
            if (expiry !== undefined && clock.now() + ms >= expiry.at)
                throw refuse(expiry.message, error);
            const reason = `${status === undefined ? '' : `${status} `}${decision.type ?? 'broken off'}`;
            notifyAll(parts, 'onRetry', { ...event, waitMs: ms, asTold: next.isTold, reason });
            await clock.sleep(ms, signal);
        }
    }
    catch (error) {
        throw explainEnd(error, identity, openness(progress), call);
    }
}
const openness = ({ isOpen, mayHaveRun, attempts }) => ({ isOpen: isOpen || mayHaveRun, attempts });
function decideLoss(client, { identity, isRepeatable, isPoll = false, isBilled }, { isUnsent, isFinal, ...loss }, { attempts, mayHaveRun }) {
    const next = isRepeatable === false || isFinal ? undefined : { isTold: isPoll };
    const isOpen = mayHaveRun || !isUnsent;
    const error = client.fail(identity, { ...loss, attempts, isRetryable: next !== undefined, isOpen });
    return { type: loss.kind, error, next, mayHaveRun: isBilled === true && !isUnsent };
}
/** One attempt. Redirects are not followed: one would carry the credential to a place that its owner did not choose. */
async function sendOnce(call, { method = 'GET', url, isStream, ...policy }, progress, headers, event) {
    const { client, signal, endsAt } = call;
    const { timeoutMs = 60_000, maxBytes = client.maxResponseBytes } = policy;
    const body = policy.body ?? null;
    const controller = new AbortController();
    const end = (why) => controller.abort(why);
    const hasCache = method === 'GET' && typeof Request === 'function' && 'cache' in Request.prototype;
    const cache = hasCache ? { cache: 'no-store' } : {};
    const init = { method, headers, body, redirect: 'manual', signal: controller.signal, ...cache };
    let isSent = false;
    const sent = () => {
        isSent = true;
        progress.isOpen = true;
        return client.fetch;
    };
    const isDirect = !client.parts.some(({ middleware }) => middleware);
    const fetch = isDirect ? sent() : passThrough((...given) => sent()(...given), client.parts, event);
    const receive = async () => {
        const response = await fetch(url, init);
        if (isStream && response.ok && response.status < 202)
            return { response, body: { kind: 'stream' }, end };
        // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
        const receipt = readBody(response, maxBytes).catch((cause) => {
            return { kind: 'broken', why: `the body broke off (${explainCause(cause).code})`, cause };
        });
        return { response, body: await receipt, end };
    };
    try {
        const answer = await within(receive(), { clock: client.clock, signal, endsAt }, call.attemptTimeoutMs ?? timeoutMs);
        progress.isOpen = progress.mayHaveRun;
        return answer;
    }
    catch (cause) {
        end(cause);
        signal?.throwIfAborted();
        if (cause instanceof DeadlinePassed && cause.limitMs === undefined)
            throw cause; // the whole call is over
        const loss = explainLoss(cause, isSent, call.redact);
        progress.isOpen = progress.mayHaveRun || (isSent && !loss.isUnsent);
        return loss;
    }
}
/** The error of a call of which a wait ended with `error`. */
export function explainEnd(error, identity, state, { client, signal, deadlineMs: wholeMs, redact }) {
    const facts = { isRetryable: true, ...state };
    if (signal?.aborted)
        return client.fail(identity, { ...facts, kind: 'aborted', message: 'aborted', cause: redactCause(error, redact) });
    if (!(error instanceof DeadlinePassed))
        return error;
    const { limitMs: deadlineMs = wholeMs, cause, message: detail } = error;
    const message = `not ${state.attempts ? 'finished' : 'sent'} within ${deadlineMs} ms${detail}`;
    return client.fail(identity, { ...facts, kind: 'timeout', deadlineMs, message, cause });
}
/** Codes of Node for a request that got no connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** The same for one that will not get a connection the next time: its certificate, another TLS or none, or a port that `fetch` refuses. */
const unfit = /^(DEPTH_|SELF_|UNABLE_|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(PACKET_L|.*(VERS|PROTO|HANDS))|bad port$)/;
function explainCause(cause) {
    const { cause: inner = cause } = Object(cause);
    const { message = cause, code: given = message, syscall } = Object(inner);
    const code = String(given);
    const isFinal = unfit.test(code);
    return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}
/** Why an attempt has no answer. */
export function explainLoss(lost, isSent, redact) {
    const cause = redactCause(lost, redact);
    if (lost instanceof DeadlinePassed) {
        const { limitMs: deadlineMs = 0 } = lost;
        const message = `no answer within ${deadlineMs} ms`;
        return { kind: 'timeout', message, cause, deadlineMs, isUnsent: false, isFinal: false };
    }
    if (!isSent || refusesSignal(lost)) {
        const message = `it was not sent: ${redact(String(Object(lost).message ?? lost))}`;
        return { kind: 'local', message, cause, isUnsent: true, isFinal: true };
    }
    const { code, isUnsent, isFinal } = explainCause(lost);
    const message = `${isUnsent ? 'no connection to the server' : 'no response'} (${redact(code)})`;
    return { kind: 'network', message, cause, isUnsent, isFinal };
}
/** True where this platform's `fetch` refuses the signals of this program, as Node's does those of jsdom: nothing was sent then. */
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
