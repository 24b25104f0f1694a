/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, readElapsed } from '../http/clock.js';
import { passThrough } from '../http/middleware.js';
import { notifyAll } from '../http/notify.js';
import { isMediaType, readMediaType } from '../http/read-body.js';
import { send } from '../http/send.js';
import { answeredFailure, categorise, localFailure, lostFailure, readLoss, stoppedFailure, } from './failures.js';
import { readResponseFacts } from './response-facts.js';
/** Sends a call once. */
export async function exchange(call, { attempts, credential }, connection) {
    const { clock, observers } = connection;
    const startedAt = readElapsed(clock);
    const { attributes, ...facts } = describe(call, attempts, connection);
    const request = { ...facts, attributes };
    notifyAll(observers, 'onRequest', request);
    const { method = 'GET', url, headers, body } = call;
    const { signal, endsAt, attemptTimeoutMs } = call.time;
    const usualMs = attemptTimeoutMs ?? call.timeoutMs ?? 60_000;
    const timeoutMs = Math.max(1, Math.min(usualMs, endsAt - startedAt));
    const sent = await send({ method, url, headers: { ...headers, ...credential }, body }, {
        fetch: passThrough(facts, connection),
        headers: { ...connection.headers, ...call.time.headers },
        signal,
        timeoutMs,
        maxBytes: call.maxBytes ?? connection.maxResponseBytes,
        stream: call.stream === true ? limitStream(call, attempts, connection) : undefined,
    });
    if (sent.kind === 'unsendable')
        throw localFailure(call, 'the address, a header or the credential is not one that can be sent', {
            attempts: attempts - 1,
        });
    const outcome = sent.kind === 'lost'
        ? lost(call, { attempts, cause: sent.cause, timeoutMs: sent.isTimeout ? timeoutMs : undefined }, connection)
        : received(call, { attempts, sent }, connection);
    const event = {
        ...request,
        facts: outcome.facts,
        durationMs: readElapsed(clock) - startedAt,
        attributes: { ...request.attributes, ...outcome.attributes },
    };
    notifyAll(observers, 'onResponse', event);
    if (sent.kind === 'lost' && sent.isTimeout && timeoutMs < usualMs)
        throw new DeadlinePassed();
    return outcome.kind === 'success' ? outcome : { ...outcome, event };
}
/** A stream is read after its call has returned, and bounded as the call was. */
function limitStream(call, attempts, { clock, credential, idleTimeoutMs }) {
    const { time } = call;
    const running = { ...call, mayHaveRun: true };
    const explain = (end, cause) => {
        if (end === 'lost')
            return lostFailure(running, { attempts, redact: credential.redact }, cause);
        if (end === 'aborted')
            return stoppedFailure(running, { attempts }, cause);
        const idle = { attempts, deadlineMs: idleTimeoutMs, reason: 'the stream gave no bytes' };
        return stoppedFailure(running, end === 'idle' ? idle : { attempts, deadlineMs: time.deadlineMs }, cause);
    };
    return { deadlineMs: time.endsAt - readElapsed(clock), idleMs: idleTimeoutMs, explain };
}
function lost(call, { attempts, cause, timeoutMs }, { credential: { redact } }) {
    const attributes = { 'error.type': timeoutMs === undefined ? 'network' : 'timeout' };
    const error = () => lostFailure(call, { attempts, redact, timeoutMs }, cause);
    return { kind: 'failure', outcome: { kind: 'lost', ...readLoss(cause) }, error, facts: undefined, attributes };
}
function received(call, { attempts, sent }, { brand, limits, credential }) {
    const { response, whenRead } = sent;
    const { status } = response;
    const { redact } = credential;
    const facts = readResponseFacts(response.headers, { brand, redact });
    const body = isUnexpected(call, response, facts) ? leaveUnread(sent) : sent.body;
    const category = categorise(response.headers, body, { brand, redact });
    const isSuccess = call.isSuccess?.(status, body) ?? status === 200;
    const attributes = { 'http.response.status_code': status, ...(isSuccess ? {} : { 'error.type': category.known }) };
    limits.noteSpend(facts.committedSpend);
    if (status === 429 && category.known === 'concurrency_limit_exceeded')
        limits.slowDown(facts.retryAfterSeconds);
    if (status === 429 && category.known === 'rate_limited')
        limits.pause(facts.retryAfterSeconds);
    if (isSuccess && !unreadable.includes(body.kind) && (body.kind !== 'empty' || status === 304))
        return { kind: 'success', answer: { response, status, body, facts, attempts, whenRead }, facts, attributes };
    // A success that broke off counts as no response: the same key fetches the result again.
    const outcome = isSuccess
        ? { kind: 'lost', isFinal: body.kind === 'oversized' }
        : { kind: 'answered', status, category, retryAfterSeconds: facts.retryAfterSeconds };
    const answered = {
        location: readLocation(response, redact),
        status,
        body: body.kind === 'stream' ? { kind: 'empty' } : body,
        facts,
        category,
    };
    const error = (isRetryable) => answeredFailure(call, answered, { attempts, isRetryable, isSuccess, redact });
    return { kind: 'failure', outcome, error, facts, attributes };
}
function readLocation({ status, headers }, redact) {
    return status >= 300 && status < 400 ? redact(headers.get('location') ?? '') || undefined : undefined;
}
const unreadable = ['malformed', 'oversized', 'unexpected'];
/** A success of a run that is no output, such as the page of a proxy. */
function isUnexpected({ operation, mediaTypes }, response, { requestId }) {
    const mediaType = readMediaType(response.headers);
    if (operation !== 'run' || response.status !== 200 || mediaType === '')
        return false;
    // Where nothing is known of the model, one sign is not enough: a page shows no header of a response from elsewhere.
    return mediaTypes === undefined
        ? mediaType === 'text/html' && requestId === undefined
        : !isMediaType(mediaType, mediaTypes);
}
function leaveUnread({ response, body }) {
    if (body.kind === 'stream')
        void response.body?.cancel().catch(() => undefined); // it may be gone already
    return {
        kind: 'unexpected',
        mediaType: readMediaType(response.headers),
        text: body.kind === 'text' ? body.text : '',
    };
}
function describe({ operation, model, key, method = 'GET', url }, attempts, { credential, callId }) {
    return {
        callId,
        attempt: attempts,
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
