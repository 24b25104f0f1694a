/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { DeadlinePassed, withDeadline } from './clock.js';
import { readBodyChunks } from './read-body.js';
/** Maximum time between two reads of the stream. */
const maxPauseMs = 600_000;
/** Returns a response for the caller to read. An idle stream or reader, an abort and the deadline end the connection. */
export function guardStream(response, time, { idleTimeoutMs, close, whenRead, explain }) {
    const parts = readBodyChunks(response);
    let ended;
    let endPause = () => undefined;
    const finish = async (isWhole, why) => {
        if (ended !== undefined)
            return;
        ended = { why };
        endPause();
        if (!isWhole)
            close(why);
        await whenRead(isWhole);
    };
    // At the deadline of the call, the stream may have been sent and read all the time.
    const explainLimit = (what) => (isDeadline) => (isDeadline ? '' : `; ${what}`);
    const pause = (limitMs, what) => {
        const next = new Promise((resolve) => {
            endPause = resolve;
        });
        withDeadline(next, { ...time, isIdle: true }, limitMs, explainLimit(what)).catch((why) => finish(false, why));
    };
    const source = {
        async pull(controller) {
            endPause();
            try {
                if (ended !== undefined)
                    throw ended.why ?? new DeadlinePassed();
                const part = await withDeadline(parts.next(), time, idleTimeoutMs, explainLimit('the stream sent no bytes'));
                if (!part.done) {
                    pause(maxPauseMs, 'nothing was read from the stream');
                    return controller.enqueue(part.value);
                }
                await finish(true);
                controller.close();
            }
            catch (cause) {
                await finish(false, cause);
                controller.error(explain(cause));
            }
        },
        cancel: () => finish(false),
    };
    pause(idleTimeoutMs, 'the stream was not read');
    // Don't read ahead, so that the stream ends only when the reader reaches its end.
    return new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
}
