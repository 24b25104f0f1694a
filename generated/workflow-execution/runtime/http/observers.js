/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export function applyMiddleware(fetch, parts, facts) {
    return parts.reduceRight((next, { middleware }) => {
        if (middleware === undefined)
            return next;
        const resume = ({ url, ...init }) => {
            const sending = next(url, init);
            // If a middleware doesn't await it, a rejection, for example when the attempt ends, must not end the process.
            void Promise.resolve(sending).catch(() => undefined);
            return sending;
        };
        return (url, init) => middleware({ ...init, ...facts, url }, resume); // The types match those of its client.
    }, fetch);
}
/** Calls an observer and ignores its errors, because they must not lose a billed result or end the process. */
export async function notify(observer, event) {
    try {
        await observer?.(event);
    }
    catch {
        // See above.
    }
}
export function notifyAll(parts, name, event) {
    for (const part of parts)
        if (part[name])
            void notify(part[name], event); // Types match as above.
}
export const addParts = (parts) => (...added) => {
    for (const part of added)
        parts.push(typeof part === 'function' ? { middleware: part } : part);
};
/** Creates observers that log each attempt, wait and end. Their events contain no bodies and no credentials. */
export function createDebugLog(client, debug) {
    const write = typeof debug === 'function' ? debug : (line) => globalThis.console.debug(line);
    const line = (describe) => (event) => {
        const { callId, operation, model = event.jobId ?? '' } = event;
        write(`${client} ${callId.slice(0, 8)} ${operation} ${model}: ${describe(event)}`);
    };
    return {
        onRequest: line(({ attempt, attributes: to }) => `attempt ${attempt}: ${to['http.request.method']} ${to['url.full']}`),
        onResponse: line(({ attempt, durationMs, attributes: { 'http.response.status_code': status, 'error.type': type } }) => {
            const outcome = [status ?? 'no response', type].filter(Boolean).join(' ');
            return `attempt ${attempt}: ${outcome} after ${Math.round(durationMs)} ms`;
        }),
        onRetry: line(({ waitMs, reason }) => `waits ${Math.round(waitMs)} ms after ${reason}`),
        onEnd: line(({ durationMs, error }) => `${error ? `failed: ${error.message}` : 'done'} (${Math.round(durationMs)} ms)`),
    };
}
