/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
// A timer of the platform holds 31 bits; a longer wait ends early, and who waits looks again.
const longestTimerMs = 2 ** 31 - 1;
export const systemClock = {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    random: () => Math.random(),
    sleep: (ms, signal) => settleIn(ms, { signal }, (resolve) => resolve()),
};
/** Does `work` later, unless it is stopped. Keeps no process of Node alive. */
export function wakeIn(ms, work) {
    const timer = setTimeout(work, ms);
    const own = Object(timer); // a number on other platforms
    own.unref?.();
    return () => clearTimeout(timer);
}
/** What waits and deadlines are measured by. */
export const readElapsed = (clock) => clock.elapsed?.() ?? clock.now();
/** The seconds of a `Retry-After`, which may be a date: it is compared with the date of the same answer. */
export function readRetryAfter(headers) {
    const text = headers.get('retry-after')?.trim();
    if (!text)
        return undefined;
    const [, seconds] = /^(\d{1,15}(?:\.\d+)?)(?:,|$)/.exec(text) ?? []; // a proxy may send it twice
    if (seconds !== undefined)
        return Number(seconds);
    const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
    return text.endsWith('GMT') ? Math.max(0, Date.parse(text) - sentAt || 0) / 1000 : undefined;
}
/** Settles like `work`, as `end` says after `ms`, or with the signal's reason as soon as it is aborted. */
function settleIn(ms, { signal, isIdle }, end, work) {
    return new Promise((resolve, reject) => {
        const settle = (by) => (value) => {
            clearTimeout(id);
            signal?.removeEventListener('abort', abort);
            by(value);
        };
        const done = settle(resolve);
        const fail = settle(reject);
        const abort = () => fail(signal?.reason);
        const id = setTimeout(end, Math.max(0, Math.min(ms, longestTimerMs)), done, fail);
        if (isIdle)
            id.unref?.();
        if (signal?.aborted)
            abort();
        else
            signal?.addEventListener('abort', abort);
        work?.then(done, fail);
    });
}
/** The time of a call was over while it waited; the message says for what. Of a shorter limit than the deadline, `limitMs`. */
export class DeadlinePassed extends Error {
    limitMs;
    constructor(message = '', limitMs, cause) {
        super(message, { cause });
        this.limitMs = limitMs;
    }
}
/**
 * What `work` resolves to, or a rejection as soon as the signal is aborted, or with `DeadlinePassed` when the time or the shorter
 * limit is over. The work itself goes on.
 */
export function within(work, time, limitMs = Number.POSITIVE_INFINITY, explain = () => '') {
    const ms = time.endsAt - readElapsed(time.clock);
    const end = (_, reject) => reject(new DeadlinePassed(explain(), limitMs < ms ? limitMs : undefined));
    return settleIn(Math.min(ms, limitMs), time, end, work);
}
/** How long to wait as told, or else for how many milliseconds to back off. `attempt` counts from 1. */
export function waitMs(seconds, attempt, clock) {
    const shortestMs = 250; // a server that answers `Retry-After: 0` for ever must not be asked in a busy loop
    return seconds === undefined ? backoffMs(attempt, clock) : Math.max(shortestMs, seconds * 1000);
}
/** Doubles from half a second up to half a minute; jitter takes away up to half of it. `attempt` counts from 1. */
export function backoffMs(attempt, clock) {
    return Math.min(30_000, 500 * 2 ** Math.min(attempt - 1, 10)) * (1 - clock.random() / 2);
}
