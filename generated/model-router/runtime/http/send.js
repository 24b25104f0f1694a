/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { longestTimerMs } from './clock.js';
import { readBody } from './read-body.js';
export const toTransport = (fetch) => (url, init) => fetch(new Request(url, init));
/** The origin of an absolute address of http or https without a user name; undefined for any other text. */
export function readOrigin(address) {
    const { protocol = '', origin, username } = URL.canParse(address) ? new URL(address) : {};
    return /^https?:$/.test(protocol) && username === '' ? origin : undefined;
}
/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export async function send(outgoing, options) {
    const { signal } = options;
    signal.throwIfAborted();
    const headers = mergeHeaders(outgoing, options.headers);
    if (headers === undefined)
        return { kind: 'unsendable' };
    const attempt = new AbortController();
    // By hand, since Node has `AbortSignal.any` from 20.3 on only, and takes its time for it.
    const stop = () => attempt.abort(signal.reason);
    signal.addEventListener('abort', stop);
    const timer = setTimeout(() => attempt.abort(), Math.min(options.timeoutMs, longestTimerMs));
    let isStream = false;
    try {
        const { method, url, body = null } = outgoing;
        const response = await options.fetch(url, { method, headers, body, redirect: 'manual', signal: attempt.signal });
        isStream = options.stream === true && response.status === 200;
        if (isStream)
            return { kind: 'answered', response, body: { kind: 'stream' } };
        const answer = await readBody(response, options.redact).catch((cause) => {
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
        return { kind: 'lost', cause, isTimeout: attempt.signal.aborted };
    }
    finally {
        clearTimeout(timer);
        if (!isStream)
            signal.removeEventListener('abort', stop); // who reads a stream can still stop it
    }
}
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
/**
 * Undefined when no platform makes a request of them. Looked at here, since its `Headers` and `Request` take longer than the
 * rest of the call.
 */
function mergeHeaders({ url, headers }, defaults) {
    const all = new Map();
    for (const [name, value] of [...Object.entries(defaults), ...Object.entries(headers)]) {
        if (!headerName.test(name) || !headerValue.test(value.trim()))
            return undefined;
        all.set(name.toLowerCase(), value.trim());
    }
    return /^https?:\/\/[^/@]+(\/|$)/i.test(url) ? Object.fromEntries(all) : undefined;
}
