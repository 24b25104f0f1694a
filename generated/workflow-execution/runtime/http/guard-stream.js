/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, longestTimerMs } from './clock.js';
/** `attempt` ends the request itself; `release` lets go of the caller's signal, which may outlive thousands of calls. */
export function guardStream(response, { deadlineMs, idleMs, explain }, { attempt, release }) {
    const reader = response.body?.getReader();
    let work = async (_isWhole) => undefined;
    const endAfter = (ms, ...why) => setTimeout(() => attempt.abort(new DeadlinePassed(...why)), Math.min(ms, longestTimerMs));
    const deadline = endAfter(deadlineMs);
    deadline.unref?.(); // a body that nobody reads keeps no process of Node alive
    const finish = (isWhole) => {
        clearTimeout(deadline);
        release();
        const last = work(isWhole);
        work = async () => undefined;
        return last;
    };
    const source = {
        start(controller) {
            attempt.signal.addEventListener('abort', () => {
                controller.error(explain(attempt.signal.reason));
                reader?.cancel().catch(() => undefined);
                void finish(false);
            });
        },
        async pull(controller) {
            const idle = endAfter(idleMs, '; the stream gave no bytes', { limitMs: idleMs });
            try {
                const part = await reader?.read().finally(() => clearTimeout(idle));
                if (part?.value !== undefined)
                    return controller.enqueue(part.value);
                await finish(true);
                controller.close();
            }
            catch (cause) {
                await finish(false);
                controller.error(explain(cause)); // after an end by the client this changes nothing
            }
        },
        async cancel(reason) {
            await finish(false);
            await reader?.cancel(reason);
        },
    };
    // The end is seen when the reader comes to it, and not before.
    const guarded = new Response(new ReadableStream(source, { highWaterMark: 0 }), response);
    return {
        response: guarded,
        whenRead(next) {
            work = next;
        },
    };
}
