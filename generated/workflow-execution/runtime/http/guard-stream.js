/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { within } from './clock.js';
/** A response whose body the caller reads after the call has returned. */
export function guardStream(response, { call, request, explain }, time) {
    const reader = (response.body ?? new Blob([]).stream()).getReader();
    let end = () => undefined;
    const ended = new Promise((resolve) => {
        end = resolve;
    });
    const finish = async (isWhole, why) => {
        end();
        if (!isWhole)
            request.abort(why);
        await call.whenRead?.(isWhole);
    };
    // Who reads can still be stopped.
    within(ended, { ...time, isIdle: true }).catch((why) => finish(false, why));
    const source = {
        async pull(controller) {
            try {
                const { value } = await within(reader.read(), time, time.idleTimeoutMs, () => '; the stream gave no bytes');
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
