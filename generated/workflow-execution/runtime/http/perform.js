/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, readElapsed, waitMs, within } from './clock.js';
import { mostBudget, repetitionPrice } from './connection.js';
import { notifyAll, passThrough } from './observers.js';
import { send } from './send.js';
/** Sends a request until its outcome is known. Throws errors of its client only. */
export async function perform(call, dialect, work) {
    const { clock, budget, maxWaitMs, parts } = work;
    const spent = { counted: 0, waitedMs: 0 };
    try {
        for (;;) {
            const startedAt = readElapsed(clock);
            const leave = await dialect.enter?.(call.isAdmitted ? Number.POSITIVE_INFINITY : maxWaitMs - spent.waitedMs);
            spent.waitedMs += readElapsed(clock) - startedAt;
            const { verdict, event } = await attempt(call, dialect, work).finally(leave);
            if ('result' in verdict) {
                budget.left = Math.min(mostBudget, budget.left + (spent.counted > 0 ? repetitionPrice : 1));
                return verdict.result;
            }
            const ms = planWait(call, verdict, spent, work);
            const { 'http.response.status_code': status = '', 'error.type': type = 'broken off' } = event.attributes;
            const reason = `${status} ${type}`.trim();
            notifyAll(parts, 'onRetry', { ...event, waitMs: ms, asTold: verdict.next?.isTold, reason });
            await clock.sleep(ms, work.signal);
        }
    }
    catch (error) {
        throw explainEnd(error, call, work);
    }
}
/** How long to wait before a request is sent again. Throws the error of the attempt where it is not. */
function planWait({ attempts, isAdmitted, queued }, { error, next }, spent, { clock, budget, maxAttempts, maxWaitMs, endsAt }) {
    if (next === undefined)
        throw error;
    if (!next.isTold) {
        spent.counted += 1;
        const price = queued === undefined ? repetitionPrice : 0; // what was admitted goes on
        if (spent.counted >= maxAttempts || budget.left < price)
            throw error;
        budget.left -= price;
    }
    const ms = waitMs(next.seconds, attempts, clock);
    spent.waitedMs += ms;
    if (!isAdmitted && spent.waitedMs > maxWaitMs)
        throw error;
    if (readElapsed(clock) + ms < endsAt)
        return ms;
    throw new DeadlinePassed(`; the last attempt: ${error.message}`, { cause: error });
}
async function attempt(call, { read }, work) {
    const { clock, signal, endsAt, parts, idleTimeoutMs } = work;
    signal.throwIfAborted();
    if (readElapsed(clock) >= endsAt)
        throw new DeadlinePassed();
    const { headers: credential, owner } = await readCredential(call, work);
    if (call.owner !== undefined && call.owner !== owner)
        throw work.fail(call, 'the key was first sent with another credential; set credentialScope if both have one owner');
    const { method = 'GET', url, headers, body } = call;
    const attributes = {
        'http.request.method': method,
        'url.full': work.credential.redact(url),
        'http.request.resend_count': call.attempts,
    };
    call.attempts += 1;
    const facts = { callId: work.callId, attempt: call.attempts, ...call.facts };
    const startedAt = readElapsed(clock);
    notifyAll(parts, 'onRequest', { ...facts, attributes });
    const usualMs = work.attemptTimeoutMs ?? call.timeoutMs ?? 60_000;
    const timeoutMs = Math.max(1, Math.min(usualMs, endsAt - startedAt));
    const explain = (cause) => {
        const end = explainEnd(cause, call, work);
        const lost = end === cause ? read({ kind: 'lost', cause }) : {};
        return 'error' in lost ? lost.error : end;
    };
    const sent = await send({
        method,
        url,
        headers: [work.headers, headers, credential].flatMap((one) => Object.entries(one ?? {})),
        body: body ?? null,
        fetch: passThrough(work.fetch, parts, facts),
        signal,
        timeoutMs,
        maxBytes: call.maxBytes ?? work.maxResponseBytes,
        stream: call.stream === true ? { deadlineMs: endsAt - startedAt, idleMs: idleTimeoutMs, explain } : undefined,
    });
    if (sent.kind === 'unsendable') {
        call.attempts -= 1;
        throw work.fail(call, 'the address, a header or the credential is not one that can be sent');
    }
    const verdict = read(sent);
    const event = {
        ...facts,
        ...verdict.event,
        durationMs: readElapsed(clock) - startedAt,
        attributes: { ...attributes, ...verdict.event.attributes },
    };
    notifyAll(parts, 'onResponse', event);
    if (sent.kind === 'lost' && sent.timeoutMs !== undefined && timeoutMs < usualMs)
        throw new DeadlinePassed();
    return { verdict, event };
}
/** What a call throws where a wait of it ended with `error`. */
export function explainEnd(error, call, work) {
    const { attempts = 0 } = call;
    const facts = { isRetryable: true, isOpen: attempts > 0 };
    if (work.signal.aborted)
        return work.fail(call, 'aborted', { ...facts, kind: 'aborted', cause: error });
    if (!(error instanceof DeadlinePassed))
        return error;
    const { limitMs: deadlineMs = work.deadlineMs, cause, message } = error;
    // The error of an attempt that had ended stands behind a wait that would have been too long: nothing was under way then.
    const isOpen = attempts > 0 && cause === undefined;
    const text = `not ${attempts === 0 ? 'sent' : 'finished'} within ${deadlineMs} ms${message}`;
    return work.fail(call, text, { ...facts, isOpen, kind: 'timeout', deadlineMs, cause });
}
/** The credential of the moment. A function that gives it is bounded like everything else that a call waits for. */
export function readCredential(call, work) {
    const { credential, signal, endsAt, clock, fail } = work;
    const current = credential.current().catch((cause) => {
        throw fail(call, 'the credential cannot be read', { cause });
    });
    return credential.isFixed ? current : within(current, { signal, ms: endsAt - readElapsed(clock) });
}
/** What Node says of a request that got no connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** The same of a connection that will not do the next time either: its certificate, no TLS at all, or a port that `fetch` refuses. */
const unfit = /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(WRONG_V|PACKET_L|UNSUPPORTED_P)|bad port$)/;
/** The code of a cause, and what it says of the connection: whether nothing was sent, and whether it will be so again. */
export function explainCause(cause) {
    const { cause: inner = cause } = Object(cause);
    const { message = cause, code: given = message, syscall } = Object(inner);
    const code = String(given);
    const isFinal = unfit.test(code);
    return { code, isFinal, isUnsent: isFinal || syscall === 'connect' || unsent.test(code) };
}
/** The same of a lost attempt, in words and with its kind. */
export function explainLoss({ cause, timeoutMs }) {
    const loss = explainCause(cause);
    const what = loss.isUnsent ? 'no connection to the server' : 'no response';
    return timeoutMs === undefined
        ? { ...loss, text: `${what} (${loss.code})`, kind: { kind: 'network' } }
        : { ...loss, text: `no answer within ${timeoutMs} ms`, kind: { kind: 'timeout', deadlineMs: timeoutMs } };
}
