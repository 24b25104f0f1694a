/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** A program without a heartbeat for this long counts as gone. */
export const staleMs = 10_000;
const beatMs = 2_000;
/** Calls `beat` every two seconds until the returned function is called, which waits for the last beat. */
export function keepAlive(beat) {
    let last = Promise.resolve();
    const timer = setInterval(() => {
        last = last.then(async () => void (await beat())).catch(() => undefined);
    }, beatMs);
    timer.unref?.(); // only Node has it; without it the timer keeps the process running
    return () => {
        clearInterval(timer);
        return last;
    };
}
