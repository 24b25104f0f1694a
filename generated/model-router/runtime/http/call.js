/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { nameAgent, readProcess, readVariable } from './base-url.js';
import { readElapsed, systemClock } from './clock.js';
import { randomKey } from './credential.js';
import { createDebugLog } from './debug-log.js';
import { notifyAll } from './observers.js';
import { present } from './present.js';
/**
 * Reads the options that both clients share; `usual` has the numbers and their defaults. A misspelled option would have no effect that
 * its writer sees, and NaN would compare as false everywhere, so both are refused.
 */
export function readClientOptions(name, usual, { headers, clock = systemClock, observers, debug, ...given }) {
    const numbers = { ...usual, ...present(given) };
    for (const [option, value] of Object.entries(numbers)) {
        if (!(option in usual))
            throw new TypeError(`${option} is not an option of the client`);
        if (!(value >= 1 || (value === 0 && option === 'maxWaitMs')))
            throw new TypeError(`${option} must be a positive number`);
    }
    const parts = observers === undefined ? [] : [observers];
    const variable = readVariable(`${name.replace('-', '_').toUpperCase()}_DEBUG`);
    const log = debug ?? !['0', 'false', undefined].includes(variable);
    if (log)
        parts.push(createDebugLog(name, log));
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
/** For what takes no longer than a request and its repetitions. */
export const readMs = 2 * minuteMs;
/** For a run: the service may hold one for ten minutes, and it is collected then. */
export const runMs = 20 * minuteMs;
/** For what may wait in a queue. */
export const queueMs = 24 * 60 * minuteMs;
const everyCall = ['signal', 'deadlineMs', 'maxWaitMs', 'maxAttempts', 'attemptTimeoutMs', 'headers'];
/** Begins a call. Throws for options that the method does not have. */
export function startCall(client, identity, { usualMs, options: own = [] }, options = {}) {
    const refuse = (message) => client.fail(identity, { kind: 'local', message });
    const known = [...everyCall, ...own];
    for (const [name, value] of Object.entries(options)) {
        if (value === undefined || value === null)
            continue;
        if (!known.includes(name))
            throw refuse(`${name} is not an option; there are ${known.join(', ')}`);
        // NaN would compare as false everywhere: no attempt would be the last one.
        if ((name.endsWith('Ms') || name === 'maxAttempts') && !(Number(value) >= 0))
            throw refuse(`the option ${name} must be a number of 0 or more`);
    }
    const { maxAttempts, maxWaitMs, attemptTimeoutMs, headers } = options;
    if (namesKey(headers ?? {}))
        throw refuse(keyIsOption);
    const signal = options.signal ?? undefined;
    if (signal)
        shareSignal(signal, refuse);
    const deadlineMs = Number(options.deadlineMs ?? usualMs); // a text would be appended
    const secrets = new Set();
    return {
        ...{ id: randomKey(), client, signal, deadlineMs, secrets },
        endsAt: readElapsed(client.clock) + deadlineMs,
        maxAttempts: maxAttempts ?? client.maxAttempts,
        maxWaitMs: maxWaitMs ?? client.maxWaitMs,
        attemptTimeoutMs: attemptTimeoutMs ?? undefined,
        headers: headers ? { ...client.headers, ...present(headers) } : client.headers,
        redact: (text) => client.credential.redact(text, secrets),
        access: undefined,
    };
}
/** Does one call of a method, whose start and end observers see. */
export async function performCall(client, identity, method, options, work) {
    const call = startCall(client, identity, method, options);
    const startedAt = readElapsed(client.clock);
    const event = { callId: call.id, ...identity };
    notifyAll(client.parts, 'onStart', event);
    let end = {};
    try {
        return await work(call);
    }
    catch (error) {
        end = { error };
        throw error;
    }
    finally {
        notifyAll(client.parts, 'onEnd', { ...event, durationMs: readElapsed(client.clock) - startedAt, ...end });
    }
}
/** Node 20 warns of a leak where more than ten calls have one signal. */
function shareSignal(signal, refuse) {
    if (typeof signal.addEventListener !== 'function')
        throw refuse('the option signal must be an AbortSignal');
    try {
        readProcess()?.getBuiltinModule?.('events')?.setMaxListeners(0, signal);
    }
    catch {
        // The signal is one of another kind.
    }
}
export const keyIsOption = 'a key is an option of its call, not a header';
export function namesKey(headers) {
    return Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
}
