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
            // A rejection of `sending` that a middleware doesn't await must not end the process.
            void Promise.resolve(sending).catch(() => undefined);
            return sending;
        };
        return (url, init) => middleware({ ...init, ...facts, url }, resume); // The client has typed its middleware.
    }, fetch);
}
/** Calls an observer and ignores its errors, because they must not lose a billed result or end the process. */
export async function notify(observer, event) {
    try {
        await observer?.(event);
    }
    catch {
        // The call continues.
    }
}
export function notifyAll(parts, name, event) {
    for (const part of parts)
        if (part[name])
            void notify(part[name], event); // The client has typed its observers.
}
export const addParts = (parts) => (...added) => {
    for (const part of added)
        parts.push(typeof part === 'function' ? { middleware: part } : part);
};
/** Creates observers that log each attempt, wait and end. Their events contain no bodies and no credentials. */
export function createDebugLog(client, debug) {
    const write = typeof debug === 'function' ? debug : (line) => globalThis.console.debug(line);
    const log = ({ callId, operation, model, jobId = '' }, text) => write(`${client} ${callId.slice(0, 8)} ${operation} ${model ?? jobId}: ${text}`);
    return {
        onRequest(event) {
            const { 'http.request.method': method, 'url.full': url } = event.attributes;
            log(event, `attempt ${event.attempt}: ${method} ${url}`);
        },
        onResponse(event) {
            const { 'http.response.status_code': status = 'no response', 'error.type': type } = event.attributes;
            const outcome = type === undefined ? status : `${status} ${type}`;
            log(event, `attempt ${event.attempt}: ${outcome} after ${Math.round(event.durationMs)} ms`);
        },
        onRetry: (event) => log(event, `waits ${Math.round(event.waitMs)} ms after ${event.reason}`),
        onEnd(event) {
            const outcome = event.error ? `failed: ${event.error.message}` : 'done';
            log(event, `${outcome} (${Math.round(event.durationMs)} ms)`);
        },
    };
}
