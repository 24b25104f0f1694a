/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { longestTimerMs } from './clock.js';
import { guardStream } from './guard-stream.js';
import { readBody } from './read-body.js';
/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export async function send(outgoing) {
    const { signal, url, method, body, stream, timeoutMs } = outgoing;
    signal.throwIfAborted();
    const headers = mergeHeaders(outgoing);
    if (headers === undefined)
        return { kind: 'unsendable' };
    const attempt = new AbortController();
    // By hand, since Node has `AbortSignal.any` from 20.3 on only, and takes its time for it.
    const stop = () => attempt.abort(signal.reason);
    signal.addEventListener('abort', stop);
    const timer = setTimeout(() => attempt.abort(), Math.min(timeoutMs, longestTimerMs));
    let isStream = false;
    const release = () => signal.removeEventListener('abort', stop);
    try {
        const response = await outgoing.fetch(url, { method, headers, body, redirect: 'manual', signal: attempt.signal });
        if (stream !== undefined && response.status === 200) {
            isStream = true;
            return { kind: 'answered', body: { kind: 'stream' }, ...guardStream(response, stream, { attempt, release }) };
        }
        const answer = await readBody(response, outgoing.maxBytes).catch((cause) => {
            if (attempt.signal.aborted)
                throw cause;
            // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
            return { kind: 'malformed', text: '', cause };
        });
        return { kind: 'answered', response, body: answer };
    }
    catch (cause) {
        if (signal.aborted)
            throw signal.reason;
        return { kind: 'lost', cause, ...(attempt.signal.aborted ? { timeoutMs } : {}) };
    }
    finally {
        clearTimeout(timer);
        if (!isStream)
            release(); // who reads a stream can still stop it
    }
}
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/**
 * Undefined when no platform makes a request of them. Looked at here, since its `Headers` and `Request` take longer than the
 * rest of the call.
 */
function mergeHeaders({ url, headers }) {
    const all = new Map();
    for (const [name, value] of headers) {
        if (!headerName.test(name) || !headerValue.test(value.trim()))
            return undefined;
        all.set(name.toLowerCase(), value.trim());
    }
    return /^https?:\/\/[^/@]+(\/|$)/i.test(url) ? Object.fromEntries(all) : undefined;
}
