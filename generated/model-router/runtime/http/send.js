/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { reachable } from './base-url.js';
import { maxBudget, repetitionPrice } from './call.js';
import { DeadlinePassed, readElapsed, waitMs, within } from './clock.js';
import { applyMiddleware, notifyAll } from './observers.js';
import { liftTimeouts } from './patient-fetch.js';
import { present } from './present.js';
import { readBody } from './read-body.js';
import { redactCause } from './redactor.js';
import { mergeHeaders } from './transport.js';
/** Sends a call until its outcome is known. Only rejects with errors of the client. */
export async function send(call, policy) {
    const { client, maxAttempts, maxWaitMs, signal, endsAt } = call;
    const { clock, budget, parts, credential } = client;
    const { identity, expiry, method = 'GET', url } = policy;
    const progress = { attempts: 0, isOpen: false, mayHaveRun: false };
    const openness = () => ({ attempts: progress.attempts, isOpen: progress.isOpen || progress.mayHaveRun });
    const refuse = (message, cause) => client.fail(identity, { kind: 'local', message, cause, ...openness() });
    const readAccess = async () => {
        const reading = credential.read().catch((cause) => {
            throw refuse('the credential cannot be read', cause);
        });
        return credential.isFixed ? reading : within(reading, { clock, signal, endsAt });
    };
    const shownUrl = parts.length === 0 ? '' : call.redact(url);
    const describe = (more, attributes) => parts.length === 0
        ? {}
        : {
            callId: call.id,
            attempt: progress.attempts,
            ...policy.facts,
            ...more,
            attributes: {
                'http.request.method': method,
                'url.full': shownUrl,
                'http.request.resend_count': progress.attempts - 1,
                ...present(attributes),
            },
        };
    let [repetitions, waitedMs, isRenewed, isAdmitted] = [0, 0, false, policy.isAdmitted === true];
    try {
        for (;;) {
            const queuedAt = readElapsed(clock);
            const release = await policy.acquire?.(isAdmitted ? Number.POSITIVE_INFINITY : maxWaitMs - waitedMs);
            let sentAt = readElapsed(clock);
            waitedMs += sentAt - queuedAt;
            let attempt;
            try {
                call.access ??= await readAccess();
                const { headers: own, secret } = call.access;
                const headers = mergeHeaders(call.headers, policy.headers, own);
                if (typeof headers === 'string')
                    throw refuse(headers in own
                        ? 'the credential cannot be sent'
                        : `the header ${headers} cannot be sent: headers must be an object of one-line texts`);
                if (!reachable.test(url))
                    throw refuse('the address must be http or https, without a user name');
                signal?.throwIfAborted();
                if (expiry !== undefined && clock.now() >= expiry.at)
                    throw refuse(expiry.message);
                sentAt = readElapsed(clock);
                if (sentAt >= endsAt)
                    throw new DeadlinePassed();
                call.secrets.add(secret);
                progress.attempts += 1;
                const event = describe({}, {});
                notifyAll(parts, 'onRequest', event);
                attempt = await sendOnce(call, policy, progress, headers, event);
            }
            finally {
                release?.();
            }
            const status = 'response' in attempt ? attempt.response.status : undefined;
            const decision = 'response' in attempt ? policy.decide(attempt, progress) : decideLoss(client, policy, attempt, progress);
            const { facts, type } = decision;
            const durationMs = readElapsed(clock) - sentAt;
            const event = describe({ facts, durationMs }, { 'http.response.status_code': status, 'error.type': type });
            notifyAll(parts, 'onResponse', event);
            if ('result' in decision) {
                budget.left = Math.min(maxBudget, budget.left + (repetitions > 0 ? repetitionPrice : 1));
                return decision.result;
            }
            const { error, next } = decision;
            progress.mayHaveRun ||= decision.mayHaveRun === true;
            isAdmitted ||= decision.isAdmitted === true;
            // Once in a row: a token that is still the same, or a new one, was refused. A later token may expire during a long run as well.
            if (status !== 401)
                isRenewed = false;
            else if (policy.isRepeatable !== false && !isRenewed && !credential.isFixed) {
                isRenewed = true;
                const refused = call.access.secret;
                call.access = await readAccess();
                if (call.access.secret !== refused)
                    continue;
            }
            if (next === undefined)
                throw error;
            if (!next.isRequested) {
                repetitions += 1;
                const price = policy.isAdmitted ? 0 : repetitionPrice;
                if (repetitions >= maxAttempts || budget.left < price)
                    throw error;
                budget.left -= price;
            }
            // Back off for `Retry-After: 0` or a past date, because such a response uses up no attempt.
            const ms = waitMs(next.ms || undefined, progress.attempts, clock);
            waitedMs += ms;
            if (!isAdmitted && waitedMs > maxWaitMs)
                throw error;
            if (readElapsed(clock) + ms >= endsAt)
                throw new DeadlinePassed(`; the last attempt: ${error.message}`, undefined, error);
            if (expiry !== undefined && clock.now() + ms >= expiry.at)
                throw refuse(expiry.message, error);
            const reason = [status, type ?? 'broken off'].join(' ').trim();
            notifyAll(parts, 'onRetry', { ...event, waitMs: ms, asTold: next.isRequested, reason });
            await clock.sleep(ms, signal);
        }
    }
    catch (error) {
        throw explainEnd(error, identity, openness(), call);
    }
}
function decideLoss(client, { identity, isRepeatable, isPoll = false, isBilled }, { isUnsent, isFinal, ...loss }, { attempts, mayHaveRun }) {
    const next = isRepeatable === false || isFinal ? undefined : { isRequested: isPoll };
    const failure = { ...loss, attempts, isRetryable: next !== undefined, isOpen: mayHaveRun || !isUnsent };
    return { type: loss.kind, error: client.fail(identity, failure), next, mayHaveRun: isBilled === true && !isUnsent };
}
/**
 * Sends one attempt. Doesn't follow redirects, which would send the credential to an origin that the caller did not
 * choose.
 */
async function sendOnce(call, { method = 'GET', url, isStream, body = null, timeoutMs = 60_000, maxBytes }, progress, headers, event) {
    const { client, signal, endsAt } = call;
    const { clock, fetch: transport, maxResponseBytes, parts } = client;
    const controller = new AbortController();
    const end = (why) => controller.abort(why);
    const hasCache = method === 'GET' && typeof Request === 'function' && 'cache' in Request.prototype;
    const cache = hasCache ? { cache: 'no-store' } : {};
    const init = { method, headers, body, redirect: 'manual', signal: controller.signal, ...cache };
    let isSent = false;
    const fetch = applyMiddleware((address, options) => {
        isSent = true;
        progress.isOpen = true;
        // Not called as a method, because the `fetch` of browsers needs its own `this`.
        return transport ? transport(address, options) : globalThis.fetch(address, { ...options, ...liftTimeouts() });
    }, parts, event);
    const receive = async (answering) => {
        const response = await answering;
        // Such as a middleware without `return`. The request may have been sent, so this is a lost response.
        if (!response?.headers?.get)
            throw new Error('fetch or a middleware returned no Response');
        if (isStream && response.ok && response.status < 202)
            return { response, body: { kind: 'stream' }, end };
        // An incomplete body must not hide the status and the headers (MR-ERR-24, MR-ERR-25).
        const receipt = readBody(response, maxBytes ?? maxResponseBytes).catch((cause) => {
            return { kind: 'broken', why: `the body broke off (${explainCause(cause).code})`, cause };
        });
        return { response, body: await receipt, end };
    };
    try {
        const answer = await within(receive(fetch(url, init)), { clock, signal, endsAt, ...call.attemptEnd }, call.attemptTimeoutMs ?? timeoutMs);
        progress.isOpen = false;
        return answer;
    }
    catch (cause) {
        end(cause);
        signal?.throwIfAborted();
        if (cause instanceof DeadlinePassed && cause.limitMs === undefined)
            throw cause; // The whole call has timed out.
        const loss = explainLoss(cause, isSent, call.redact);
        progress.isOpen = isSent && !loss.isUnsent;
        return loss;
    }
}
/** Returns the error of a call for a deadline or an abort; returns any other error unchanged. */
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
/** Node's error codes for a request without a connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/**
 * Error codes for a connection that would fail again: certificate, TLS version, no TLS, or a port that `fetch` blocks.
 */
const unfit = /^(DEPTH_|SELF_|UNABLE_|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(PACKET_L|.*(VERS|PROTO|HANDS))|bad port$)/;
function explainCause(cause) {
    const { cause: inner = cause } = Object(cause);
    const { message = cause, code: given = message, syscall } = Object(inner);
    const code = String(given);
    const isFinal = unfit.test(code);
    return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}
/** Explains why an attempt got no response. */
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
/**
 * True if the platform's `fetch` rejects the program's signals, as Node's rejects those of jsdom. Nothing was sent
 * then.
 */
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
