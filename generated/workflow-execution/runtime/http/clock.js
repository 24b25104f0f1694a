/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export const systemClock = {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    random: () => Math.random(),
    sleep: (ms, signal) => withTimer(ms, { signal }, (resolve) => resolve()),
};
/** Sleeps without keeping a Node process alive. */
export const sleepUnreferenced = (ms, signal) => withTimer(ms, { signal, isIdle: true }, (resolve) => resolve());
export const readElapsed = (clock) => clock.elapsed?.() ?? clock.now();
/** Returns `Retry-After` in milliseconds. A date is relative to the `Date` header of the same response. */
export function readRetryAfterMs(headers) {
    const text = headers.get('retry-after')?.trim() ?? '';
    const [, seconds] = /^(\d{1,15}(?:\.\d+)?)(?:,|$)/.exec(text) ?? []; // A proxy may repeat the header.
    if (seconds !== undefined)
        return Number(seconds) * 1000;
    const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
    return text.endsWith('GMT') ? Math.max(0, Date.parse(text) - sentAt || 0) : undefined;
}
/** Thrown at the end of a wait, which the message describes. `limitMs`: the limit that ended the wait before the deadline. */
export class DeadlinePassed extends Error {
    limitMs;
    constructor(message = '', limitMs, cause) {
        super(message, { cause });
        this.limitMs = limitMs;
    }
}
// Signals of React Native have neither a reason nor `throwIfAborted`.
const readAbortReason = (signal) => signal?.reason ?? new Error('aborted');
export function throwIfAborted(signal) {
    if (signal?.aborted)
        throw readAbortReason(signal);
}
/** Settles like `work`. Rejects with the signal's reason, or with `DeadlinePassed` at the deadline or after `limitMs`. */
export function withDeadline(work, time, limitMs = Infinity, explain = (_isDeadline) => '') {
    const leftMs = time.endsAt - readElapsed(time.clock);
    const isDeadline = limitMs >= leftMs;
    const end = (_, reject) => reject(new DeadlinePassed(explain(isDeadline), isDeadline ? undefined : limitMs));
    return withTimer(Math.min(leftMs, limitMs), time, end, work);
}
/** Settles like `work`. After `ms`, calls `end` to settle the promise. Rejects with the reason when the signal aborts. */
function withTimer(ms, { signal, isIdle }, end, work) {
    return new Promise((resolve, reject) => {
        const settle = (by) => (value) => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', abort);
            by(value);
        };
        const done = settle(resolve);
        const fail = settle(reject);
        const abort = () => fail(readAbortReason(signal));
        // Platform timers have 31 bits. A longer wait ends early, and the caller waits again.
        const timer = setTimeout(end, Math.max(0, Math.min(ms, 2 ** 31 - 1)), done, fail);
        const { unref } = Object(timer); // Only Node's timer has it.
        if (isIdle)
            unref?.call(timer);
        if (signal?.aborted)
            abort();
        else
            signal?.addEventListener('abort', abort);
        work?.then(done, fail);
    });
}
/** Returns the wait before the next attempt: the server's `requestedMs`, or a backoff. `attempt` starts at 1. */
export function waitMs(requestedMs, attempt, clock) {
    const shortestMs = 250; // A server may always send `Retry-After: 0`.
    return requestedMs === undefined ? computeBackoffMs(attempt, clock) : Math.max(shortestMs, requestedMs);
}
/** Returns a backoff, which doubles from 0.5 to 30 seconds. Jitter subtracts up to half of it. `attempt` starts at 1. */
export function computeBackoffMs(attempt, clock) {
    return Math.min(30_000, 500 * 2 ** Math.min(attempt - 1, 10)) * (1 - clock.random() / 2);
}
