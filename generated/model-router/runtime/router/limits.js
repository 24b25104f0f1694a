/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, within } from '../http/clock.js';
const cautionMs = 30_000;
// One odd header must not stop a program for a day; each call waits as it was told itself.
const longestPauseMs = 5 * 60_000;
const milliseconds = (seconds) => Math.min(longestPauseMs, (seconds ?? 0) * 1000);
export function createLimits(options, clock) {
    const waiting = new Set();
    let inFlight = 0;
    let cautiousUntil = 0;
    let pausedUntil = 0;
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
    const leave = () => {
        inFlight -= 1;
        wake();
    };
    return {
        async enter({ signal, endsAt }) {
            signal.throwIfAborted();
            for (let now = clock.now(); now < pausedUntil; now = clock.now()) {
                if (pausedUntil >= endsAt)
                    throw new DeadlinePassed();
                await clock.sleep(pausedUntil - now, signal);
            }
            if (waiting.size === 0 && inFlight < allowed())
                inFlight += 1;
            else
                await place(waiting, { signal, ms: endsAt - clock.now() }, leave);
            return leave;
        },
        slowDown(seconds) {
            cautiousUntil = Math.max(cautiousUntil, clock.now() + Math.max(cautionMs, milliseconds(seconds)));
        },
        pause(seconds) {
            pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds(seconds));
        },
        noteSpend(spend) {
            remainingCents = spend?.remainingCents ?? remainingCents;
            wake();
        },
    };
}
/** Resolves when a call that ends makes room; room that was made just as the wait ended is left again. */
async function place(waiting, limit, leave) {
    let resume = () => undefined;
    const free = new Promise((resolve) => {
        resume = resolve;
    });
    waiting.add(resume);
    try {
        await within(free, limit);
    }
    catch (error) {
        if (!waiting.delete(resume))
            leave();
        throw error;
    }
}
