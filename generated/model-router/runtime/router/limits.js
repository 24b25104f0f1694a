/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
const cautionMs = 30_000;
export function createLimits(options, clock) {
    const waiting = new Set();
    let inFlight = 0;
    let cautiousUntil = 0;
    let remainingCents = Number.POSITIVE_INFINITY;
    const allowed = () => {
        const short = remainingCents < (options.minimumRemainingCents ?? Number.NEGATIVE_INFINITY);
        return short || clock.now() < cautiousUntil ? 1 : (options.concurrency ?? Number.POSITIVE_INFINITY);
    };
    const wake = () => {
        for (const resume of waiting) {
            if (inFlight >= allowed())
                return;
            waiting.delete(resume);
            inFlight += 1;
            resume();
        }
    };
    return {
        async enter(signal) {
            signal.throwIfAborted();
            if (waiting.size === 0 && inFlight < allowed())
                inFlight += 1;
            else
                await place(waiting, signal);
            let held = true;
            return () => {
                if (held)
                    inFlight -= 1;
                held = false;
                wake();
            };
        },
        slowDown(seconds) {
            cautiousUntil = Math.max(cautiousUntil, clock.now() + Math.max(cautionMs, (seconds ?? 0) * 1000));
        },
        noteSpend(spend) {
            remainingCents = spend?.remainingCents ?? remainingCents;
            wake();
        },
    };
}
/** Resolves when a call that ends makes room. */
function place(waiting, signal) {
    return new Promise((resolve, reject) => {
        const resume = () => {
            signal.removeEventListener('abort', leave);
            resolve();
        };
        const leave = () => {
            waiting.delete(resume);
            reject(signal.reason);
        };
        waiting.add(resume);
        signal.addEventListener('abort', leave, { once: true });
    });
}
