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
 * The part of a client that both make alike, with the numbers that are `usual`. A misspelled option would change nothing, and its writer
 * would not see it; not a number would compare as false everywhere: no attempt would be the last one.
 */
export function readClientOptions(name, usual, { headers, clock = systemClock, observers, ...given }) {
    const numbers = { ...usual, ...present(given) };
    for (const [option, value] of Object.entries(numbers)) {
        if (!(option in usual))
            throw new TypeError(`${option} is no option of the client`);
        if (!(value >= 1 || (value === 0 && option === 'maxWaitMs')))
            throw new TypeError(`${option} is no positive number`);
    }
    const parts = [observers ?? {}];
    return {
        ...numbers,
        headers: { ...nameAgent(name), ...present(headers ?? {}) },
        clock,
        parts,
        budget: { left: mostBudget },
    };
}
// As in the standard mode of the AWS SDKs: 35 repetitions, and one more for every 14 calls that need none. So a dead server is hardly
// sent more than what the program calls.
export const mostBudget = 500;
export const repetitionPrice = 14;
const minuteMs = 60_000;
/** What takes no longer than a request and its repetitions. */
export const readMs = 2 * minuteMs;
/** A run: the service may hold one for ten minutes, and it is collected then. */
export const runMs = 20 * minuteMs;
/** What may wait in a queue. */
export const queueMs = 24 * 60 * minuteMs;
const everyCall = ['signal', 'deadlineMs', 'maxWaitMs', 'maxAttempts', 'attemptTimeoutMs', 'headers'];
/** Begins a call, and refuses options that it does not have: a misspelled one would change nothing, and its writer would not see it. */
export function startCall(client, identity, options = {}, { options: own = [], usualMs }) {
    const refuse = (message) => client.fail(identity, { kind: 'local', message });
    const known = [...everyCall, ...own];
    for (const [name, value] of Object.entries(options)) {
        if (value === undefined || value === null)
            continue;
        if (!known.includes(name))
            throw refuse(`${name} is no option; there are ${known.join(', ')}`);
        // It would compare as false everywhere: no attempt would be the last one.
        if (name.endsWith('Ms') || name === 'maxAttempts')
            if (!(Number(value) >= 0))
                throw refuse(`the option ${name} is no number that is 0 or more`);
    }
    const { deadlineMs, maxAttempts, maxWaitMs, attemptTimeoutMs, headers, signal } = options;
    if (namesKey(headers ?? {}))
        throw refuse(keyIsOption);
    if (signal && typeof signal.addEventListener !== 'function')
        throw refuse('the option signal is no AbortSignal');
    if (signal)
        shareSignal(signal);
    const wholeMs = Number(deadlineMs ?? usualMs); // a text would be appended
    const secrets = new Set();
    return {
        id: randomKey(),
        client,
        facts: identity,
        signal: signal ?? undefined,
        deadlineMs: wholeMs,
        endsAt: readElapsed(client.clock) + wholeMs,
        maxAttempts: maxAttempts ?? client.maxAttempts,
        maxWaitMs: maxWaitMs ?? client.maxWaitMs,
        attemptTimeoutMs: attemptTimeoutMs ?? undefined,
        headers: headers ? { ...client.headers, ...present(headers) } : client.headers,
        secrets,
        redact: (text) => client.credential.redact(text, secrets),
        access: undefined,
    };
}
/** Does a call, whose start and end observers see. `begin` gives it. */
export async function watchCall(begin, work) {
    const call = begin();
    const { clock, parts } = call.client;
    const startedAt = readElapsed(clock);
    const event = { callId: call.id, ...call.facts };
    notifyAll(parts, 'onStart', event);
    let end = {};
    try {
        return await work(call);
    }
    catch (error) {
        end = { error };
        throw error;
    }
    finally {
        notifyAll(parts, 'onEnd', { ...event, durationMs: readElapsed(clock) - startedAt, ...end });
    }
}
/** Node 20 warns of a leak where more than ten calls have one signal. */
function shareSignal(signal) {
    const { process } = globalThis;
    try {
        process?.getBuiltinModule?.('events').setMaxListeners(0, signal);
    }
    catch {
        // It is no Node, or no signal of its kind.
    }
}
export const keyIsOption = 'a key is an option of its call, not a header';
export function namesKey(headers) {
    return Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
}
