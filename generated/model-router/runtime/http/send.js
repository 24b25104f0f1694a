/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { httpUrlPattern } from './base-url.js';
import { maxBudget, retryCost } from './call.js';
import { DeadlinePassed, readElapsed, throwIfAborted, waitMs, withDeadline } from './clock.js';
import { applyMiddleware, notifyAll } from './observers.js';
import { omitUndefined } from './omit-undefined.js';
import { removeTimeouts } from './patient-fetch.js';
import { readBody } from './read-body.js';
import { redactCause } from './redactor.js';
/** Sends a call, with retries, until its outcome is known. Only rejects with errors of the client. */
export async function send(call, policy) {
    const { client, clock, signal } = call;
    const { budget, parts } = client;
    const { expiry } = policy;
    const progress = { attempts: 0, mayHaveRun: false };
    let waitedMs = policy.isAdmitted ? -Infinity : 0; // `maxWaitMs` doesn't apply to an admitted call.
    let hasRenewed = false;
    let repetitions = 0;
    const refuse = (message, cause) => client.fail(policy.identity, { kind: 'local', message, cause, ...progress });
    /** Reads the credential for all attempts that follow. */
    const readAccess = async () => {
        const reading = client.credential.read().catch((cause) => {
            throw refuse('the credential cannot be read', cause);
        });
        call.access = await withDeadline(reading, call);
        return call.access;
    };
    /** Returns the headers of the next attempt. Throws if the call can't be sent. */
    const prepareAttempt = async () => {
        const { headers: own, secret } = call.access ?? (await readAccess());
        const headers = mergeHeaders(call.headers, policy.headers, own);
        if (typeof headers === 'string')
            throw refuse(headers in own ? 'the credential cannot be sent' : `the header ${headers} must be a one-line text`);
        if (!httpUrlPattern.test(policy.url))
            throw refuse('the URL must be an absolute http or https URL without a user name');
        throwIfAborted(signal);
        if (expiry !== undefined && clock.now() >= expiry.at)
            throw expiry.refuse(progress);
        if (readElapsed(clock) >= call.endsAt)
            throw new DeadlinePassed();
        call.secrets.add(secret);
        progress.attempts += 1;
        return headers;
    };
    try {
        for (;;) {
            const queuedAt = readElapsed(clock);
            const release = await policy.acquire?.(call.maxWaitMs - waitedMs);
            waitedMs += readElapsed(clock) - queuedAt;
            const headers = await prepareAttempt().catch((error) => {
                release?.();
                throw error;
            });
            const sentAt = readElapsed(clock);
            const sent = {
                'http.request.method': policy.method ?? 'GET',
                'url.full': parts.length === 0 ? '' : call.redact(policy.url), // Redacting takes long, and nothing would read it.
                'http.request.resend_count': progress.attempts - 1,
            };
            const started = { callId: call.id, attempt: progress.attempts, ...policy.facts, attributes: sent };
            notifyAll(parts, 'onRequest', started);
            const attempt = await sendOnce(call, policy, progress, headers, started).finally(release);
            const status = 'response' in attempt ? attempt.response.status : undefined;
            const decision = 'response' in attempt ? policy.decide(attempt, progress) : attempt;
            const { facts, type } = decision;
            const durationMs = readElapsed(clock) - sentAt;
            const attributes = { ...sent, ...omitUndefined({ 'http.response.status_code': status, 'error.type': type }) };
            const event = { ...started, facts, durationMs, attributes };
            notifyAll(parts, 'onResponse', event);
            if ('result' in decision) {
                budget.left = Math.min(maxBudget, budget.left + (repetitions > 0 ? retryCost : 1));
                return decision.result;
            }
            progress.mayHaveRun ||= decision.mayHaveRun === true && isBilled(policy);
            if (decision.isAdmitted)
                waitedMs = -Infinity;
            // Read a renewed credential only once for consecutive 401s. The new one may expire too during a long run, so
            // read the credential again if a different status came in between.
            if (status !== 401)
                hasRenewed = false;
            else if (!hasRenewed && policy.repetition !== 'unkeyed') {
                hasRenewed = true;
                const refused = call.access?.secret;
                if ((await readAccess()).secret !== refused)
                    continue;
            }
            const { error, next } = decision;
            if (next === undefined)
                throw error;
            if (!next.isRequested) {
                repetitions += 1;
                const price = policy.isAdmitted ? 0 : retryCost;
                if (repetitions >= call.maxAttempts || budget.left < price)
                    throw error;
                budget.left -= price;
            }
            // Back off for `Retry-After: 0` or a past date, because such a response doesn't use up an attempt.
            const ms = waitMs(next.ms || undefined, progress.attempts, clock);
            waitedMs += ms;
            if (waitedMs > call.maxWaitMs)
                throw error;
            if (readElapsed(clock) + ms >= call.endsAt)
                throw new DeadlinePassed(`; the last attempt: ${error.message}`, undefined, error);
            if (expiry !== undefined && clock.now() + ms >= expiry.at)
                throw expiry.refuse(progress, error);
            const reason = [status, type ?? 'broken off'].join(' ').trim();
            notifyAll(parts, 'onRetry', { ...event, waitMs: ms, isRequested: next.isRequested, reason });
            await clock.sleep(ms, signal);
        }
    }
    catch (error) {
        throw explainEnd(error, policy.identity, progress, call);
    }
}
const isBilled = ({ repetition }) => repetition === 'keyed' || repetition === 'unkeyed';
/** Sends one attempt. Doesn't follow redirects, which would send the credential to a different origin. */
async function sendOnce(call, policy, progress, headers, event) {
    const { method = 'GET', url, isStream, body = null, timeoutMs = 60_000, maxBytes, repetition } = policy;
    const { client, signal } = call;
    const { fetch: transport, maxResponseBytes, parts } = client;
    const controller = new AbortController();
    const end = (why) => controller.abort(why);
    const hasCache = method === 'GET' && 'cache' in (globalThis.Request?.prototype ?? {});
    const cache = hasCache ? { cache: 'no-store' } : {};
    const init = { method, headers, body, redirect: 'manual', signal: controller.signal, ...cache };
    const mayHaveRunBefore = progress.mayHaveRun;
    let isSent = false;
    const fetch = applyMiddleware((target, options) => {
        // Throw before `isSent` is set: nothing was sent, so the call is neither repeated nor billed.
        if (!transport && typeof globalThis.fetch !== 'function')
            throw new TypeError('this platform has no fetch: set the option fetch');
        isSent = true;
        progress.mayHaveRun ||= isBilled(policy); // If the wait for the response is aborted, its outcome is unknown.
        // Not called as a method, because the `fetch` of browsers needs its own `this`.
        return transport ? transport(target, options) : globalThis.fetch(target, { ...options, ...removeTimeouts() });
    }, parts, event);
    const receive = async (answering) => {
        const response = await answering;
        // For example, a middleware lacks a `return`. The request may have been sent, so this is a lost response.
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
        const received = await withDeadline(receive(fetch(url, init)), call, call.attemptTimeoutMs ?? timeoutMs);
        progress.mayHaveRun = mayHaveRunBefore; // The policy decides by the response.
        return received;
    }
    catch (cause) {
        end(cause);
        throwIfAborted(signal);
        if (cause instanceof DeadlinePassed && cause.limitMs === undefined)
            throw cause; // The whole call has timed out.
        const { isUnsent, isFinal, ...loss } = explainLostAttempt(cause, isSent, call.redact);
        if (isUnsent)
            progress.mayHaveRun = mayHaveRunBefore;
        // Next.js throws errors with a digest to its renderer, for example to render a page on each request.
        const { digest } = Object(cause);
        const isPermanent = isFinal || digest !== undefined || repetition === 'unkeyed';
        const next = isPermanent ? undefined : { isRequested: repetition === 'poll' };
        const error = client.fail(policy.identity, { ...loss, ...progress, isRetryable: next !== undefined });
        if (digest !== undefined)
            Object.assign(error, { digest });
        return { type: loss.kind, error, next };
    }
}
/** Merges headers; later ones replace earlier ones. Returns the name of a header that is invalid. */
function mergeHeaders(...parts) {
    // The platform's `Headers` would take longer than the rest of the call.
    const all = {};
    for (const part of parts)
        for (const [name, value] of Object.entries(part ?? {})) {
            if (value === undefined)
                continue;
            if (typeof value !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
                return name;
            if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim()))
                return name;
            all[name.toLowerCase()] = value.trim();
        }
    return all;
}
/** Converts a passed deadline or an abort to an error of the client; returns any other error unchanged. */
export function explainEnd(error, identity, state, { client, signal, deadlineMs: wholeMs, redact }) {
    const facts = { isRetryable: true, ...state };
    if (signal?.aborted)
        return client.fail(identity, { ...facts, kind: 'aborted', message: 'aborted', cause: redactCause(error, redact) });
    if (!(error instanceof DeadlinePassed))
        return error;
    const { limitMs: deadlineMs = wholeMs, cause, message: detail } = error;
    const message = `not ${state.attempts === 0 ? 'sent' : 'finished'} within ${deadlineMs} ms${detail}`;
    return client.fail(identity, { ...facts, kind: 'timeout', deadlineMs, message, cause });
}
/** Errors of Node and Deno for a connection that was not established. Redirects are not followed, so nothing was sent. */
const unsentErrors = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$|client error \(Connect\)/;
/** Error codes of connections that would fail again: certificate, TLS version, no TLS, or a port that `fetch` blocks. */
const permanentErrors = /^(DEPTH_|SELF_|UNABLE_|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(PACKET_L|.*(VERS|PROTO|HANDS))|bad port$)|ports? \d+ are blocked$/;
function explainCause(cause) {
    const { cause: inner = cause } = Object(cause);
    const { message = cause, code: given = message, syscall } = Object(inner);
    const code = String(given);
    const isFinal = permanentErrors.test(code);
    return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsentErrors.test(code) };
}
/** Explains why an attempt got no response. `isSent`: the request was passed to `fetch`. */
export function explainLostAttempt(lost, isSent, redact) {
    const cause = redactCause(lost, redact);
    if (lost instanceof DeadlinePassed) {
        const { limitMs: deadlineMs = 0 } = lost;
        return { kind: 'timeout', message: `no answer within ${deadlineMs} ms`, cause, deadlineMs };
    }
    if (!isSent || isSignalRefused(lost)) {
        const message = `it was not sent: ${redact(String(Object(lost).message ?? lost))}`;
        return { kind: 'local', message, cause, isUnsent: true, isFinal: true };
    }
    const { code, isUnsent, isFinal } = explainCause(lost);
    const message = `${isUnsent ? 'no connection to the server' : 'no response'} (${redact(code)})`;
    return { kind: 'network', message, cause, isUnsent, isFinal };
}
/** True if the platform's `fetch` rejects the program's signals, as Node's rejects those of jsdom. Nothing was sent. */
function isSignalRefused(lost) {
    if (!(lost instanceof TypeError) || lost.cause !== undefined || typeof Request !== 'function')
        return false;
    try {
        return new Request('http://localhost/', { signal: new AbortController().signal }) === undefined;
    }
    catch {
        return true;
    }
}
