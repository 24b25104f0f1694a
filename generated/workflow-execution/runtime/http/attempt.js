/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { reachable } from './base-url.js';
import { DeadlinePassed, readElapsed, within } from './clock.js';
import { explainCause, explainEnd } from './explain-failure.js';
import { guardStream } from './guard-stream.js';
import { notifyAll, passThrough } from './observers.js';
import { present } from './present.js';
import { readBody } from './read-body.js';
import { mergeHeaders } from './transport.js';
/** Sends a request once. Redirects are not followed: one would carry the credential to a place that nobody chose. */
export async function attempt(call, { read, lose }, work) {
    const { clock, parts, signal, maxResponseBytes } = work;
    const credential = await readCredential(call, work);
    if ((call.owner ?? credential.owner) !== credential.owner)
        throw work.fail(call, 'the key was first sent with another credential; set credentialScope if both have one owner');
    const { method = 'GET', url, body = null, timeoutMs = 60_000, maxBytes = maxResponseBytes } = call;
    const headers = mergeHeaders(work.headers, call.headers, credential.headers);
    if (headers === undefined || !reachable.test(url))
        throw work.fail(call, 'the address, a header or the credential cannot be sent');
    signal?.throwIfAborted();
    const startedAt = readElapsed(clock);
    if (startedAt >= work.endsAt)
        throw new DeadlinePassed();
    const attributes = {
        'http.request.method': method,
        'url.full': work.credential.redact(url),
        'http.request.resend_count': call.attempts,
    };
    call.attempts += 1;
    const event = { callId: work.callId, attempt: call.attempts, ...call.facts, attributes };
    notifyAll(parts, 'onRequest', event);
    const request = new AbortController();
    const explain = (cause) => {
        const end = explainEnd(cause, call, work);
        return end === cause ? lose(cause).error : end;
    };
    const receive = async () => {
        const init = { method, headers, body, redirect: 'manual', signal: request.signal };
        const response = await passThrough(work.fetch, parts, event)(url, init);
        if (call.stream && response.ok && response.status < 202) {
            const guarded = guardStream(response, { call, request, explain }, work);
            return { response: guarded, body: { kind: 'stream', value: guarded.body } };
        }
        // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
        const receipt = readBody(response, maxBytes).catch((cause) => {
            return { kind: 'broken', why: `the body broke off (${explainCause(cause).code})`, cause };
        });
        return { response, body: await receipt };
    };
    let end;
    call.isOpen = true;
    const sent = await within(receive(), work, work.attemptTimeoutMs ?? timeoutMs).catch((cause) => {
        request.abort(cause);
        signal?.throwIfAborted();
        if (cause instanceof DeadlinePassed && cause.limitMs === undefined)
            end = cause; // the whole call is over
        return { cause, response: undefined };
    });
    call.isOpen = end !== undefined;
    const verdict = sent.response === undefined ? lose(sent.cause) : read(sent);
    const said = { 'http.response.status_code': sent.response?.status, 'error.type': verdict.type };
    const heard = {
        ...event,
        facts: verdict.facts,
        durationMs: readElapsed(clock) - startedAt,
        attributes: present({ ...attributes, ...said }),
    };
    notifyAll(parts, 'onResponse', heard);
    if (end !== undefined)
        throw end;
    return { verdict, event: heard };
}
/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
export async function readCredential(call, work) {
    const { credential, fail } = work;
    if (credential.known !== undefined)
        return credential.known;
    const current = credential.current().catch((cause) => {
        throw fail(call, 'the credential cannot be read', { cause });
    });
    return credential.isFixed ? current : within(current, work);
}
