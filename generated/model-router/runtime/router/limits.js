/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { DeadlinePassed, readElapsed, withDeadline } from '../http/clock.js';
/** Maximum pause of other calls after a `Retry-After`, because one wrong header must not stop a program for a day. */
const maxPauseMs = 300_000;
export function createLimits(options, clock) {
    const { requestsInFlight = Infinity, minimumRemainingCents = 0, ...others } = options;
    for (const name in others)
        throw new TypeError(`limits.${name} is not an option`);
    if (!(requestsInFlight >= 1))
        throw new TypeError('limits.requestsInFlight must be a positive number');
    let inFlight = 0;
    let cautiousUntil = 0;
    let pausedUntil = 0;
    let gapMs = 0; // Delay between calls after a pause, so that they don't use up the new quota immediately.
    let remainingCents = Infinity;
    let timer;
    const waiting = new Map(); // The longest waiting call is first.
    const findReasonToWait = (now) => {
        if (now < pausedUntil)
            return 'after a 429 rate_limited';
        if (inFlight === 0)
            return undefined;
        if (now < cautiousUntil)
            return 'one call at a time after a 429 concurrency_limit_exceeded';
        if (remainingCents < minimumRemainingCents)
            return 'one call at a time below minimumRemainingCents';
        return inFlight < requestsInFlight ? undefined : `limits.requestsInFlight is ${requestsInFlight}`;
    };
    const explain = () => `; delayed by the limiter of this client (${findReasonToWait(readElapsed(clock))})`;
    const release = () => {
        inFlight -= 1;
        startWaitingCalls();
    };
    /** Starts the calls that may start now, and schedules itself for the next one. */
    const startWaitingCalls = () => {
        timer?.abort(); // Not in the loop, because aborting is slow.
        for (const [call, start] of waiting) {
            const now = readElapsed(clock);
            if (findReasonToWait(now) !== undefined) {
                const until = [pausedUntil, cautiousUntil].find((at) => at > now);
                timer = new AbortController();
                if (until !== undefined)
                    clock.sleep(until - now, timer.signal).then(startWaitingCalls, () => undefined);
                return;
            }
            if (now > pausedUntil + 1000)
                gapMs = 0;
            pausedUntil = now + gapMs;
            inFlight += 1;
            waiting.delete(call);
            start();
        }
    };
    return {
        async acquire(time, limitMs = Infinity) {
            const now = readElapsed(clock);
            const leftMs = time.endsAt - now;
            if (pausedUntil - now >= Math.max(1, Math.min(leftMs, limitMs)))
                throw new DeadlinePassed(explain(), limitMs < leftMs ? limitMs : undefined);
            const call = {};
            const admission = new Promise((resolve) => waiting.set(call, resolve));
            startWaitingCalls();
            try {
                if (waiting.has(call))
                    await withDeadline(admission, time, limitMs, explain);
            }
            catch (error) {
                if (!waiting.delete(call))
                    release(); // The call was started just as its wait ended.
                startWaitingCalls();
                throw error;
            }
            return release;
        },
        update(status, known, { committedSpend, retryAfterMs }) {
            const now = readElapsed(clock);
            remainingCents = committedSpend?.remainingCents ?? remainingCents;
            if (status === 429 && known === 'rate_limited') {
                const ms = Math.min(maxPauseMs, retryAfterMs ?? 0);
                gapMs = Math.min(50, ms / 50);
                pausedUntil = Math.max(pausedUntil, now + ms);
            }
            if (status === 429 && known === 'concurrency_limit_exceeded')
                cautiousUntil = Math.max(cautiousUntil, now + Math.min(maxPauseMs, retryAfterMs ?? 30_000));
            startWaitingCalls();
        },
    };
}
