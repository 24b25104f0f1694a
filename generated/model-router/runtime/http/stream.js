/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, within } from './clock.js';
import { chunksOf } from './read-body.js';
/** How long a reader may pause between two parts. */
const longestPauseMs = 10 * 60_000;
/**
 * A response whose body the caller reads after the call has returned. Its connection is closed where it gives no bytes for `idleTimeoutMs`,
 * where the reader does not begin within that time or pauses for too long, at the deadline, and with the signal.
 */
export function guardStream(response, guard) {
    const { idleTimeoutMs, close, whenRead, explain } = guard;
    const chunks = chunksOf(response);
    let ended;
    /** Ends the pause of the reader, which has a bound too. */
    let goOn = () => undefined;
    const finish = async (isWhole, why) => {
        if (ended !== undefined)
            return;
        ended = { why };
        goOn();
        if (!isWhole)
            close(why);
        await whenRead(isWhole);
    };
    const pause = (limitMs, what) => {
        const next = new Promise((resolve) => {
            goOn = resolve;
        });
        within(next, { ...guard, isIdle: true }, limitMs, () => `; ${what}`).catch((why) => finish(false, why));
    };
    const source = {
        async pull(controller) {
            goOn();
            try {
                if (ended !== undefined)
                    throw ended.why ?? new DeadlinePassed();
                const part = await within(chunks.next(), guard, idleTimeoutMs, () => '; the stream gave no bytes');
                if (part !== undefined) {
                    pause(longestPauseMs, 'nothing was read from the stream');
                    return controller.enqueue(part);
                }
                await finish(true);
                controller.close();
            }
            catch (cause) {
                const why = explain(cause);
                await finish(false, cause);
                controller.error(why);
            }
        },
        cancel: () => finish(false),
    };
    pause(idleTimeoutMs, 'the stream was not read');
    // The end is seen when the reader comes to it, and not before.
    return new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
}
