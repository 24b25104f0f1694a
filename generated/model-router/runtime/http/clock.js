/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
// A timer of the platform holds 31 bits; longer waits are made of several.
const longestTimerMs = 2 ** 31 - 1;
export const systemClock = {
    now: () => Date.now(),
    random: () => Math.random(),
    async sleep(ms, signal) {
        for (let left = ms; left > 0; left -= longestTimerMs)
            await timer(Math.min(left, longestTimerMs), signal);
    },
};
function timer(ms, signal) {
    return new Promise((resolve, reject) => {
        const stop = () => {
            clearTimeout(id);
            reject(signal?.reason);
        };
        const id = setTimeout(() => {
            signal?.removeEventListener('abort', stop);
            resolve();
        }, ms);
        if (signal?.aborted)
            stop();
        else
            signal?.addEventListener('abort', stop, { once: true });
    });
}
const firstBackoffMs = 500;
const longestBackoffMs = 30_000;
/** Doubles from half a second up to half a minute; jitter takes away up to half of it. `attempt` counts from 1. */
export function backoffMs(attempt, clock) {
    const full = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(attempt - 1, 10));
    return full * (1 - clock.random() / 2);
}
