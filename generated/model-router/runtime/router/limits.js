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
const cautionMs = 30_000;
// One odd header must not stop a program for a day; each call waits as it was told itself.
const longestPauseMs = 5 * 60_000;
// What a pause has held back is sent one by one, so that a renewed quota is not overrun at once.
const longestGapMs = 50;
const starts = 50;
const quietMs = 1000;
export function createLimits(options, clock) {
    const { concurrency = Number.POSITIVE_INFINITY, minimumRemainingCents = Number.NEGATIVE_INFINITY } = options;
    let inFlight = 0;
    let cautiousUntil = 0;
    let opensAt = 0;
    let gapMs = 0;
    let remainingCents = Number.POSITIVE_INFINITY;
    let line = Promise.resolve(false);
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
    /** Takes a place when there is one, unless the call has given up. The first in the line alone looks for one. */
    const take = async (hasGivenUp) => {
        for (let now = readElapsed(clock); findReason(now) !== undefined; now = readElapsed(clock)) {
            if (hasGivenUp())
                return false;
            const timer = new AbortController();
            await new Promise((resolve) => {
                wake = resolve;
                // Of what ends by itself; a call that ends wakes the first one anyway.
                const ms = (now < opensAt ? opensAt : cautiousUntil) - now;
                if (ms > 0)
                    clock.sleep(ms, timer.signal).then(resolve, () => undefined);
            });
            timer.abort();
        }
        const now = readElapsed(clock);
        if (now > opensAt + quietMs)
            gapMs = 0;
        if (gapMs > 0)
            opensAt = now + gapMs;
        inFlight += 1;
        return true;
    };
    return {
        async enter({ signal, endsAt }, limitMs = Number.POSITIVE_INFINITY) {
            signal?.throwIfAborted();
            const leftMs = endsAt - readElapsed(clock);
            if (opensAt - readElapsed(clock) >= Math.max(1, Math.min(leftMs, limitMs)))
                throw new DeadlinePassed(explain(), { limitMs: limitMs < leftMs ? limitMs : undefined });
            let hasGivenUp = false;
            line = line.then(() => take(() => hasGivenUp));
            const turn = line;
            try {
                await within(turn, { clock, signal, endsAt }, limitMs, explain);
            }
            catch (error) {
                hasGivenUp = true;
                wake();
                void turn.then((isTaken) => isTaken && leave()); // room that was made just as the wait ended
                throw error;
            }
            return leave;
        },
        slowDown(seconds) {
            const ms = seconds === undefined ? cautionMs : toPauseMs(seconds);
            cautiousUntil = Math.max(cautiousUntil, readElapsed(clock) + ms);
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
const toPauseMs = (seconds = 0) => Math.min(longestPauseMs, seconds * 1000);
