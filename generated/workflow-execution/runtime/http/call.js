/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { readProcess, readVariable } from './base-url.js';
import { readElapsed, systemClock } from './clock.js';
import { randomKey } from './credential.js';
import { createDebugLog, notifyAll } from './observers.js';
import { omitUndefined } from './omit-undefined.js';
/** Reads the options that both clients share. `defaults`: the numeric options. Throws for invalid and unknown ones. */
export function readClientOptions(name, defaults, { headers, fetch, clock = systemClock, observers, debug, ...given }) {
    const numbers = { ...defaults, ...omitUndefined(given) };
    for (const [option, value] of Object.entries(numbers)) {
        if (!(option in defaults))
            throw new TypeError(`${option} is not an option; numeric options: ${Object.keys(defaults).join(', ')}`);
        if (!(value >= 1 || (value === 0 && option === 'maxWaitMs')))
            throw new TypeError(`${option} must be a positive number`);
    }
    // Browsers would send a preflight request for this header.
    const isBrowser = 'document' in globalThis || 'importScripts' in globalThis;
    const all = { ...(isBrowser ? {} : { 'User-Agent': `${name}-client` }), ...omitUndefined(headers ?? {}) };
    if (hasKeyHeader(all))
        throw new TypeError(keyHeaderMessage);
    const parts = observers === undefined ? [] : [observers];
    const variable = readVariable(`${name.replace('-', '_').toUpperCase()}_DEBUG`);
    const log = debug ?? !['0', 'false', undefined].includes(variable);
    if (log)
        parts.push(createDebugLog(name, log));
    return { ...numbers, headers: all, fetch, clock, parts, budget: { left: maxBudget } };
}
// A retry budget like the standard mode of the AWS SDKs: 35 retries, and one more for every 14 calls that succeed at the
// first attempt. It limits the additional requests while the server is down.
export const maxBudget = 500;
export const retryCost = 14;
export const readDeadlineMs = 120_000;
/** 20 minutes: the service holds a run for at most 10 minutes, and its result may have to be collected afterwards. */
export const runDeadlineMs = 1_200_000;
export const queueDeadlineMs = 86_400_000;
const optionsOfEveryCall = ['signal', 'deadlineMs', 'maxWaitMs', 'maxAttempts', 'attemptTimeoutMs', 'headers'];
/** Starts a call. Throws for options that the method doesn't have. */
export function startCall(client, identity, { defaultMs, options: ownOptions = [] }, options = {}) {
    const refuse = (message) => client.fail(identity, { kind: 'local', message });
    const knownOptions = [...optionsOfEveryCall, ...ownOptions];
    const givenOptions = omitUndefined(options);
    for (const [name, value] of Object.entries(givenOptions)) {
        if (value === null)
            continue;
        if (!knownOptions.includes(name))
            throw refuse(`${name} is not an option; options: ${knownOptions.join(', ')}`);
        // Rejects NaN: comparisons with it are always false, so no attempt would be the last one.
        if ((name.endsWith('Ms') || name === 'maxAttempts') && !(Number(value) >= 0))
            throw refuse(`the option ${name} must be a number, 0 or more`);
    }
    const headers = givenOptions.headers ?? {};
    if (hasKeyHeader(headers))
        throw refuse(keyHeaderMessage);
    const signal = givenOptions.signal ?? undefined;
    if (signal && typeof signal.addEventListener !== 'function')
        throw refuse('the option signal must be an AbortSignal');
    if (signal)
        allowManyListeners(signal);
    const deadlineMs = Number(givenOptions.deadlineMs ?? defaultMs); // A string would be concatenated.
    const secrets = new Set();
    return {
        id: randomKey(),
        client,
        clock: client.clock,
        signal,
        deadlineMs,
        endsAt: readElapsed(client.clock) + deadlineMs,
        maxAttempts: givenOptions.maxAttempts ?? client.maxAttempts,
        maxWaitMs: givenOptions.maxWaitMs ?? client.maxWaitMs,
        attemptTimeoutMs: givenOptions.attemptTimeoutMs ?? undefined,
        headers: { ...client.headers, ...omitUndefined(headers) },
        secrets,
        redact: (text) => client.credential.redact(text, secrets),
        access: undefined,
    };
}
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
/** Node 20 warns about a leak if more than ten calls share a signal. */
function allowManyListeners(signal) {
    try {
        readProcess()?.getBuiltinModule?.('events')?.setMaxListeners(0, signal);
    }
    catch {
        // The signal is not from Node.
    }
}
const keyHeaderMessage = 'set the option idempotencyKey, not a header';
const hasKeyHeader = (headers) => Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
