/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
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
