/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, longestTimerMs, readElapsed, within } from './clock.js';
/** A response whose body the caller reads after the call has returned. */
export function guardStream(response, { call, request, explain }, time) {
    const { signal, idleTimeoutMs, endsAt, clock } = time;
    const reader = (response.body ?? new Blob([]).stream()).getReader();
    // Who reads can still be stopped; the signal may outlive thousands of calls.
    const finish = async (isWhole, why) => {
        clearTimeout(deadline);
        signal?.removeEventListener('abort', stop);
        if (!isWhole)
            request.abort(why);
        await call.whenRead?.(isWhole);
    };
    const stop = () => void finish(false, signal?.aborted ? signal.reason : new DeadlinePassed());
    signal?.addEventListener('abort', stop);
    const deadline = setTimeout(stop, Math.max(0, Math.min(endsAt - readElapsed(clock), longestTimerMs)));
    deadline.unref?.(); // a body that nobody reads keeps no process of Node alive
    const source = {
        async pull(controller) {
            try {
                const { value } = await within(reader.read(), time, idleTimeoutMs, () => '; the stream gave no bytes');
                if (value !== undefined)
                    return controller.enqueue(value);
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
    // The end is seen when the reader comes to it, and not before.
    return new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
}
