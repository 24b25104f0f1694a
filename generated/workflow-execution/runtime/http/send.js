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
/** Sends a call, with retries, until its outcome is known. Only rejects with errors of the client. */
export async function send(call, policy) {
    const { client, signal } = call;
    const { clock, budget, parts } = client;
    const sending = {
        call,
        policy,
        attempts: 0,
        isOpen: false,
        mayHaveRun: false,
        waitedMs: policy.isAdmitted ? -Infinity : 0,
        refuse: (message, cause) => client.fail(policy.identity, { kind: 'local', message, cause, ...readState(sending) }),
    };
    const isBilled = policy.repetition === 'keyed' || policy.repetition === 'unkeyed';
    let hasRenewed = false;
    let repetitions = 0;
    try {
        for (;;) {
            const { headers, release } = await prepareAttempt(sending);
            const sentAt = readElapsed(clock);
            const sent = {
                'http.request.method': policy.method ?? 'GET',
                'url.full': parts.length === 0 ? '' : call.redact(policy.url), // Redacting takes long, and nothing would read it.
                'http.request.resend_count': sending.attempts - 1,
            };
            const started = { callId: call.id, attempt: sending.attempts, ...policy.facts, attributes: sent };
            notifyAll(parts, 'onRequest', started);
            const attempt = await sendOnce(sending, headers, started).finally(release);
            const status = 'response' in attempt ? attempt.response.status : undefined;
            const decision = 'response' in attempt ? policy.decide(attempt, sending) : attempt;
            const { facts, type } = decision;
            const durationMs = readElapsed(clock) - sentAt;
            const attributes = { ...sent, ...present({ 'http.response.status_code': status, 'error.type': type }) };
            const event = { ...started, facts, durationMs, attributes };
            notifyAll(parts, 'onResponse', event);
            if ('result' in decision) {
                budget.left = Math.min(maxBudget, budget.left + (repetitions > 0 ? repetitionPrice : 1));
                return decision.result;
            }
            sending.mayHaveRun ||= isBilled && decision.mayHaveRun === true;
            if (decision.isAdmitted)
                sending.waitedMs = -Infinity;
            // Read a renewed credential only once for consecutive 401s. The new one may expire too during a long run, so
            // read the credential again if a different status came in between.
            if (status !== 401)
                hasRenewed = false;
            else if (!hasRenewed && policy.repetition !== 'unkeyed') {
                hasRenewed = true;
                const refused = call.access?.secret;
                if ((await readAccess(sending)).secret !== refused)
                    continue;
            }
            const { error, next } = decision;
            if (next === undefined)
                throw error;
            if (!next.isRequested) {
                repetitions += 1;
                const price = policy.isAdmitted ? 0 : repetitionPrice;
                if (repetitions >= call.maxAttempts || budget.left < price)
                    throw error;
                budget.left -= price;
            }
            // Back off for `Retry-After: 0` or a past date, because such a response doesn't use up an attempt.
            const ms = waitMs(next.ms || undefined, sending.attempts, clock);
            sending.waitedMs += ms;
            if (sending.waitedMs > call.maxWaitMs)
                throw error;
            if (readElapsed(clock) + ms >= call.endsAt)
                throw new DeadlinePassed(`; the last attempt: ${error.message}`, undefined, error);
            const { expiry } = policy;
            if (expiry !== undefined && clock.now() + ms >= expiry.at)
                throw sending.refuse(expiry.message, error);
            const reason = [status, type ?? 'broken off'].join(' ').trim();
            notifyAll(parts, 'onRetry', { ...event, waitMs: ms, asTold: next.isRequested, reason });
            await clock.sleep(ms, signal);
        }
    }
    catch (error) {
        throw explainEnd(error, policy.identity, readState(sending), call);
    }
}
const readState = ({ attempts, isOpen, mayHaveRun }) => ({ attempts, isOpen: isOpen || mayHaveRun });
/** Waits for a free slot, and returns the headers of the next attempt. Throws if the call can't be sent. */
async function prepareAttempt(sending) {
    const { call, policy } = sending;
    const { client, signal, endsAt } = call;
    const { clock } = client;
    const { url, expiry } = policy;
    const queuedAt = readElapsed(clock);
    const release = await policy.acquire?.(call.maxWaitMs - sending.waitedMs);
    sending.waitedMs += readElapsed(clock) - queuedAt;
    try {
        const { headers: own, secret } = call.access ?? (await readAccess(sending));
        const headers = mergeHeaders(call.headers, policy.headers, own);
        if (typeof headers === 'string')
            throw sending.refuse(headers in own ? 'the credential cannot be sent' : `the header ${headers} must be a one-line text`);
        if (!reachable.test(url))
            throw sending.refuse('the URL must be an absolute http or https URL without a user name');
        signal?.throwIfAborted();
        if (expiry !== undefined && clock.now() >= expiry.at)
            throw sending.refuse(expiry.message);
        if (readElapsed(clock) >= endsAt)
            throw new DeadlinePassed();
        call.secrets.add(secret);
        sending.attempts += 1;
        return { headers, release };
    }
    catch (error) {
        release?.();
        throw error;
    }
}
/** Reads the credential for all attempts that follow. */
async function readAccess({ call, refuse }) {
    const { clock, credential } = call.client;
    const reading = credential.read().catch((cause) => {
        throw refuse('the credential cannot be read', cause);
    });
    call.access = await within(reading, { clock, signal: call.signal, endsAt: call.endsAt });
    return call.access;
}
/** Sends one attempt. Doesn't follow redirects, which would send the credential to a different origin. */
async function sendOnce(sending, headers, event) {
    const { call, policy } = sending;
    const { method = 'GET', url, isStream, body = null, timeoutMs = 60_000, maxBytes } = policy;
    const { client, signal, endsAt } = call;
    const { clock, fetch: transport, maxResponseBytes, parts } = client;
    const controller = new AbortController();
    const end = (why) => controller.abort(why);
    const hasCache = method === 'GET' && 'cache' in (globalThis.Request?.prototype ?? {});
    const cache = hasCache ? { cache: 'no-store' } : {};
    const init = { method, headers, body, redirect: 'manual', signal: controller.signal, ...cache };
    sending.isOpen = false;
    const fetch = applyMiddleware((address, options) => {
        // Throw before `isOpen` is set: nothing was sent, so the call is neither repeated nor billed.
        if (!transport && typeof globalThis.fetch !== 'function')
            throw new TypeError('this platform has no fetch: set the option fetch');
        sending.isOpen = true;
        // Not called as a method, because the `fetch` of browsers needs its own `this`.
        return transport ? transport(address, options) : globalThis.fetch(address, { ...options, ...liftTimeouts() });
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
        const time = { clock, signal, endsAt };
        const answer = await within(receive(fetch(url, init)), time, call.attemptTimeoutMs ?? timeoutMs);
        sending.isOpen = false;
        return answer;
    }
    catch (cause) {
        end(cause);
        signal?.throwIfAborted();
        if (cause instanceof DeadlinePassed && cause.limitMs === undefined)
            throw cause; // The whole call has timed out.
        const { isUnsent, isFinal, ...loss } = explainLoss(cause, sending.isOpen, call.redact);
        if (isUnsent)
            sending.isOpen = false;
        const { repetition } = policy;
        const next = isFinal || repetition === 'unkeyed' ? undefined : { isRequested: repetition === 'poll' };
        const state = {
            attempts: sending.attempts,
            isRetryable: next !== undefined,
            isOpen: sending.mayHaveRun || !isUnsent,
        };
        const error = client.fail(policy.identity, { ...loss, ...state });
        return { type: loss.kind, error, next, mayHaveRun: !isUnsent };
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
    const message = `not ${state.attempts ? 'finished' : 'sent'} within ${deadlineMs} ms${detail}`;
    return client.fail(identity, { ...facts, kind: 'timeout', deadlineMs, message, cause });
}
/** Node's error codes for a connection that was not established. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** Error codes of connections that would fail again: certificate, TLS version, no TLS, or a port that `fetch` blocks. */
const unfit = /^(DEPTH_|SELF_|UNABLE_|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(PACKET_L|.*(VERS|PROTO|HANDS))|bad port$)/;
function explainCause(cause) {
    const { cause: inner = cause } = Object(cause);
    const { message = cause, code: given = message, syscall } = Object(inner);
    const code = String(given);
    const isFinal = unfit.test(code);
    return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}
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
/** True if the platform's `fetch` rejects the program's signals, as Node's rejects those of jsdom. Nothing was sent. */
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
