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
    sleep: (ms, signal) => settleIn(ms, { signal }, (resolve) => resolve()),
};
/** Calls `work` after `ms`, unless the returned function is called. Keeps no process of Node alive. */
export function wakeIn(ms, work) {
    const timer = setTimeout(work, ms);
    unref(timer);
    return () => clearTimeout(timer);
}
function unref(timer) {
    if (typeof timer === 'object')
        timer.unref?.(); // only Node's is an object
}
/** Returns the time by which waits and deadlines are measured. */
export const readElapsed = (clock) => clock.elapsed?.() ?? clock.now();
/** Returns the milliseconds of `Retry-After`. A date is compared with the `Date` of the same response. */
export function readRetryAfterMs(headers) {
    const text = headers.get('retry-after')?.trim() ?? '';
    const [, seconds] = /^(\d{1,15}(?:\.\d+)?)(?:,|$)/.exec(text) ?? []; // a proxy may send it twice
    if (seconds !== undefined)
        return Number(seconds) * 1000;
    const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
    return text.endsWith('GMT') ? Math.max(0, Date.parse(text) - sentAt || 0) : undefined;
}
/** Thrown when the time for a wait is over. The message names what was awaited. `limitMs` is set for a limit shorter than the deadline. */
export class DeadlinePassed extends Error {
    limitMs;
    constructor(message = '', limitMs, cause) {
        super(message, { cause });
        this.limitMs = limitMs;
    }
}
/**
 * Settles like `work`, or rejects when the signal is aborted, or with `DeadlinePassed` at the deadline or after `limitMs`. Does not stop
 * the work.
 */
export function within(work, time, limitMs = Number.POSITIVE_INFINITY, explain = () => '') {
    const leftMs = time.endsAt - readElapsed(time.clock);
    const end = (_, reject) => reject(new DeadlinePassed(explain(), limitMs < leftMs ? limitMs : undefined));
    return settleIn(Math.min(leftMs, limitMs), time, end, work);
}
/** Settles like `work`, by `end` after `ms`, or with the reason of the signal when it is aborted. */
function settleIn(ms, { signal, isIdle }, end, work) {
    return new Promise((resolve, reject) => {
        const settle = (by) => (value) => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', abort);
            by(value);
        };
        const done = settle(resolve);
        const fail = settle(reject);
        const abort = () => fail(signal?.reason);
        // Timers of the platform have 31 bits. A longer wait ends early, and the caller waits again.
        const timer = setTimeout(end, Math.max(0, Math.min(ms, 2 ** 31 - 1)), done, fail);
        if (isIdle)
            unref(timer);
        if (signal?.aborted)
            abort();
        else
            signal?.addEventListener('abort', abort);
        work?.then(done, fail);
    });
}
/** Returns the wait before the next attempt: `requestedMs` of the server, or a backoff. `attempt` counts from 1. */
export function waitMs(requestedMs, attempt, clock) {
    const shortestMs = 250; // a server may always answer `Retry-After: 0`
    return requestedMs === undefined ? backoffMs(attempt, clock) : Math.max(shortestMs, requestedMs);
}
/** Doubles from half a second up to 30 seconds; jitter subtracts up to half of it. `attempt` counts from 1. */
export function backoffMs(attempt, clock) {
    return Math.min(30_000, 500 * 2 ** Math.min(attempt - 1, 10)) * (1 - clock.random() / 2);
}
