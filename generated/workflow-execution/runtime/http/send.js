import { longestTimerMs } from './clock.js';
import { readBody } from './read-body.js';
/** Redirects are not followed: a redirect would carry the credential to a place that nobody chose. */
export async function send(outgoing, options) {
    const { signal } = options;
    signal.throwIfAborted();
    const attempt = new AbortController();
    const timer = setTimeout(() => attempt.abort(), Math.min(options.timeoutMs, longestTimerMs));
    try {
        const request = requestOf(outgoing, options.headers, AbortSignal.any([signal, attempt.signal]));
        if (request === undefined)
            return { kind: 'unsendable' };
        const response = await options.fetch(request);
        if (options.stream && response.status === 200)
            return { kind: 'answered', response, body: { kind: 'stream' } };
        const body = await readBody(response, options.redact).catch((cause) => {
            if (signal.aborted || attempt.signal.aborted)
                throw cause;
            // What broke off must not hide the status and the headers that came before it (MR-ERR-24, MR-ERR-25).
            return { kind: 'malformed', text: '', cause };
        });
        return { kind: 'answered', response, body };
    }
    catch (cause) {
        if (signal.aborted)
            throw signal.reason;
        return { kind: 'lost', cause, isTimeout: attempt.signal.aborted };
    }
    finally {
        clearTimeout(timer);
    }
}
function requestOf({ url, headers, ...init }, defaults, signal) {
    try {
        const all = new Headers(defaults);
        for (const [name, value] of Object.entries(headers))
            all.set(name, value);
        return new Request(url, { ...init, headers: all, redirect: 'manual', signal });
    }
    catch {
        return undefined;
    }
}
