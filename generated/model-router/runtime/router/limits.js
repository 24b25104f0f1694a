/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, readElapsed, within } from '../http/clock.js';
// Where the server does not say for how long.
const cautionSeconds = 30;
// One odd header must not stop a program for a day; each call waits as it was told itself.
const longestPauseMs = 5 * 60_000;
// What a pause has held back is sent one by one, so that a renewed quota is not overrun at once.
const longestGapMs = 50;
const starts = 50;
const quietMs = 1000;
export function createLimits(options, clock) {
    const { concurrency = Number.POSITIVE_INFINITY, minimumRemainingCents = 0 } = options;
    let inFlight = 0;
    let cautiousUntil = 0;
    let opensAt = 0;
    let gapMs = 0;
    let remainingCents = Number.POSITIVE_INFINITY;
    let line = Promise.resolve(false);
    const waiting = new Set();
    let wake = () => undefined;
    /** Why no call may start now. */
    const findReason = (now) => {
        if (now < opensAt)
            return 'after a 429 rate_limited';
        if (inFlight === 0)
            return undefined;
        if (now < cautiousUntil)
            return 'one call at a time after a 429 concurrency_limit_exceeded';
        if (remainingCents < minimumRemainingCents)
            return 'one call at a time below minimumRemainingCents';
        return inFlight < concurrency ? undefined : `limits.concurrency is ${concurrency}`;
    };
    const explain = () => `; held by the limiter of this client (${findReason(readElapsed(clock))})`;
    const leave = () => {
        inFlight -= 1;
        wake();
    };
    const occupy = (now) => {
        if (now > opensAt + quietMs)
            gapMs = 0;
        if (gapMs > 0)
            opensAt = now + gapMs;
        inFlight += 1;
        return leave;
    };
    /** Takes a place when there is one, unless the call has given up. The first in the line alone looks for one. */
    const take = async (call) => {
        for (let now = readElapsed(clock); findReason(now) !== undefined; now = readElapsed(clock)) {
            if (!waiting.has(call))
                return false;
            const nap = startNap((now < opensAt ? opensAt : cautiousUntil) - now, clock);
            wake = nap.wake;
            await nap.over;
        }
        occupy(readElapsed(clock));
        return true;
    };
    return {
        async enter({ signal, endsAt }, limitMs = Number.POSITIVE_INFINITY) {
            const now = readElapsed(clock);
            const leftMs = endsAt - now;
            if (opensAt - now >= Math.max(1, Math.min(leftMs, limitMs)))
                throw new DeadlinePassed(explain(), limitMs < leftMs ? limitMs : undefined);
            if (waiting.size === 0 && findReason(now) === undefined)
                return occupy(now);
            const call = {};
            waiting.add(call);
            line = line.then(() => take(call));
            const turn = line;
            try {
                await within(turn, { clock, signal, endsAt }, limitMs, explain);
            }
            catch (error) {
                wake();
                void turn.then((isTaken) => isTaken && leave()); // room that was made just as the wait ended
                throw error;
            }
            finally {
                waiting.delete(call);
            }
            return leave;
        },
        slowDown(seconds) {
            cautiousUntil = Math.max(cautiousUntil, readElapsed(clock) + toPauseMs(seconds ?? cautionSeconds));
        },
        pause(seconds) {
            gapMs = Math.min(longestGapMs, toPauseMs(seconds) / starts);
            opensAt = Math.max(opensAt, readElapsed(clock) + toPauseMs(seconds));
        },
        noteSpend(spend) {
            remainingCents = spend?.remainingCents ?? remainingCents;
            wake();
        },
    };
}
/** Is over when it is woken, or by itself after `ms` where that is more than nothing. */
function startNap(ms, clock) {
    const timer = new AbortController();
    let wake = () => undefined;
    const over = new Promise((resolve) => {
        wake = resolve;
        if (ms > 0)
            clock.sleep(ms, timer.signal).then(resolve, () => undefined);
    }).finally(() => timer.abort());
    return { over, wake };
}
const toPauseMs = (seconds = 0) => Math.min(longestPauseMs, seconds * 1000);
