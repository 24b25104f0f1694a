/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { nameAgent } from './base-url.js';
import { readElapsed, systemClock } from './clock.js';
import { randomKey } from './credential.js';
import { notifyAll } from './observers.js';
import { present } from './present.js';
/**
 * The part of a connection that both clients make alike, with the numbers that are `usual`. A misspelled option would change nothing,
 * and nobody would see it; not a number would compare as false everywhere: no attempt would be the last one.
 */
export function connectAs(name, usual, { headers, clock = systemClock, observers, hooks, ...given }) {
    const numbers = { ...usual, ...present(given) };
    for (const [option, value] of Object.entries(numbers)) {
        if (!(option in usual))
            throw new TypeError(`${option} is no option of the client`);
        if (!(value >= 1 || (value === 0 && option === 'maxWaitMs')))
            throw new TypeError(`${option} is no positive number`);
    }
    return {
        ...numbers,
        headers: { ...nameAgent(name), ...present(headers ?? {}) },
        clock,
        parts: [observers ?? hooks ?? {}],
        budget: { left: mostBudget },
    };
}
// As in the standard mode of the AWS SDKs: 35 repetitions, and one more for every 14 calls that need none. So a dead server is hardly
// sent more than what the program calls.
export const mostBudget = 500;
export const repetitionPrice = 14;
/** What takes no longer than a request and its repetitions. */
export const reads = { usualMs: 5 * 60_000 };
const everyCall = 'signal deadlineMs maxWaitMs maxAttempts attemptTimeoutMs headers';
/** Checks the options of a call: a misspelled one would change nothing, and nobody would see it. */
export function startWork(shared, facts, options, { takes = '', usualMs = 24 * 60 * 60_000 } = {}) {
    const headers = options?.headers ?? {};
    if (namesKey(headers))
        throw shared.fail(facts, keyIsOption);
    // The shared part first: engines copy it as a whole then, which is the most expensive step of a call.
    const work = {
        ...shared,
        signal: undefined,
        deadlineMs: usualMs,
        callId: randomKey(),
    };
    for (const [name, value] of Object.entries(options ?? {})) {
        if (value === undefined || value === null)
            continue;
        const known = `${everyCall} ${takes}`.trim().split(' ');
        if (!known.includes(name))
            throw shared.fail(facts, `${name} is no option; there are ${known.join(', ')}`);
        // It would compare as false everywhere: no attempt would be the last one.
        if (Number.isNaN(value))
            throw new TypeError(`${name} is no number`);
        work[name] = name === 'headers' ? { ...shared.headers, ...present(headers) } : value;
    }
    shareSignal(options?.signal);
    work['endsAt'] = readElapsed(shared.clock) + Number(work.deadlineMs); // a text would be appended
    return work; // each name is that of an option
}
/** Node 20 warns of a leak where more than ten calls have one signal. */
function shareSignal(signal) {
    const { process } = globalThis;
    try {
        if (signal !== undefined)
            process.getBuiltinModule('events').setMaxListeners(0, signal);
    }
    catch {
        // It is no Node, or no signal of its kind.
    }
}
export const keyIsOption = 'a key is an option of its call, not a header';
export function namesKey(headers) {
    return /^idempotency-key$/im.test(Object.keys(headers).join('\n'));
}
/** Does the calls of methods, whose start and end observers see. `facts` is what events and errors say of a call. */
export const watchCalls = (shared) => async (facts, options, run, method) => {
    const work = startWork(shared, facts, options, method);
    const { clock, parts, callId } = work;
    const startedAt = readElapsed(clock);
    const event = { callId, ...facts };
    notifyAll(parts, 'onStart', event);
    let end = {};
    try {
        return await run(work, facts);
    }
    catch (error) {
        end = { error };
        throw error;
    }
    finally {
        notifyAll(parts, 'onEnd', { ...event, durationMs: readElapsed(clock) - startedAt, ...end });
    }
};
