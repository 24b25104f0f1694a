/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { systemClock } from '../http/clock.js';
// The service keeps results for 24 hours, and starts a new run for an older key (MR-IDM-46, MR-IDM-49).
export const keyLifetimeMs = 86_400_000;
/** Calls without an outcome are listed for two days. */
export const listedMs = 2 * keyLifetimeMs;
/** True if both records describe the same run; one of them may only have the hash of the body. */
export function isSameCall(one, other) {
    const isSameRequest = one.operation === other.operation && one.url === other.url && one.owner === other.owner;
    if (!isSameRequest || one.body === other.body)
        return isSameRequest;
    const [first, second] = [hashOf(one), hashOf(other)];
    // If either has neither a body nor a hash, the key identifies the call, and the service compares the bodies.
    return first === undefined || second === undefined || first === second;
}
const hashOf = ({ body, bodyHash }) => (body === undefined ? bodyHash : hashText(body));
export function dropBody(call) {
    const { body, ...rest } = call;
    return body === undefined ? call : { ...rest, bodyHash: hashText(body) };
}
/** Returns the record to keep once the outcome is known: without its body if the key is explicit, else none. */
export const toFinishedCall = (call) => call.isExplicit ? { ...dropBody(call), isDone: true } : undefined;
export const toAdmittedCall = (call, queued) => ({
    ...dropBody(call),
    queued,
});
/** Returns a 64-bit hash that is not secure: SHA-256 is asynchronous, and some platforms lack it. */
export function hashText(text) {
    let one = 0xdeadbeef;
    let two = 0x41c6ce57;
    for (let index = 0; index < text.length; index += 1) {
        const unit = text.charCodeAt(index);
        one = Math.imul(one ^ unit, 0x9e3779b1);
        two = Math.imul(two ^ unit, 0x5f356495);
    }
    one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(two ^ (two >>> 13), 0xc2b2ae35);
    two = Math.imul(two ^ (two >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
    return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
/** Maximum characters in all stored bodies of calls that ended without an outcome. The oldest are dropped first. */
const maxIdleBodySize = 16 * 1024 * 1024;
const maxIdleBodyMs = 600_000;
/** Creates an in-memory store, which is lost with the process. */
export function createMemoryKeyStore({ maxCalls = 200_000, clock = systemClock, } = {}) {
    const entries = new Map(); // Oldest first.
    // When calls that have a body ended without an outcome, by key, oldest first.
    const idleBodies = new Map();
    let idleSize = 0;
    /** Replaces the call of an entry, or removes the entry. */
    const change = (entry, call) => {
        const { idempotencyKey: key, body = '' } = entry.call;
        if (idleBodies.delete(key))
            idleSize -= body.length;
        if (call !== undefined)
            entry.call = call;
        else
            entries.delete(key);
    };
    const dropIdleBodies = () => {
        for (const [key, endedAt] of idleBodies) {
            if (idleSize <= maxIdleBodySize && clock.now() < endedAt + maxIdleBodyMs)
                break;
            const entry = entries.get(key);
            if (entry !== undefined)
                change(entry, dropBody(entry.call));
        }
    };
    const removeOld = () => {
        dropIdleBodies();
        for (const entry of entries.values()) {
            if (clock.now() < entry.call.firstSentAt + listedMs || entry.users > 0)
                break;
            change(entry);
        }
    };
    const release = async (key) => {
        const entry = entries.get(key);
        if (entry === undefined)
            return;
        entry.users = Math.max(0, entry.users - 1);
        entry.mayHaveRun = true;
        const { body } = entry.call;
        if (entry.users > 0 || body === undefined || idleBodies.has(key))
            return;
        idleBodies.set(key, clock.now());
        idleSize += body.length;
        dropIdleBodies();
    };
    return {
        async begin(call) {
            removeOld();
            const { idempotencyKey: key, body } = call;
            const entry = entries.get(key);
            if (entry === undefined) {
                if (entries.size >= maxCalls)
                    throw new Error(`it is full (${maxCalls} calls in two days): forget some, or set a larger maxCalls`);
                entries.set(key, { call, users: 1, mayHaveRun: false });
                return { stored: call, isNew: true };
            }
            const { call: stored } = entry;
            if (!isSameCall(stored, call))
                return { stored, isNew: false };
            const isExplicit = stored.isExplicit || call.isExplicit;
            const needsBody = !stored.isDone && stored.queued === undefined && body !== undefined;
            change(entry, { ...stored, ...(needsBody ? { body } : {}), isExplicit });
            entry.users += 1;
            return { stored: entry.call, isNew: false };
        },
        async take(key) {
            removeOld();
            const entry = entries.get(key);
            if (entry === undefined || entry.users > 0)
                return undefined;
            change(entry, entry.call); // Its body is in use again.
            entry.users += 1;
            return entry.call;
        },
        async admit(key, queued) {
            const entry = entries.get(key);
            if (entry !== undefined)
                change(entry, toAdmittedCall(entry.call, queued));
        },
        async finish(key) {
            const entry = entries.get(key);
            if (entry === undefined)
                return;
            change(entry, toFinishedCall(entry.call));
            await release(key); // Does nothing if the entry is gone.
        },
        release,
        async discard(key) {
            const entry = entries.get(key);
            if (entry?.mayHaveRun)
                return release(key);
            if (entry === undefined)
                return;
            entry.users -= 1;
            if (entry.users === 0)
                change(entry);
        },
        async forget(key) {
            const entry = entries.get(key);
            if (entry !== undefined)
                change(entry);
        },
        async pending() {
            removeOld();
            return [...entries.values()]
                .filter(({ call, users }) => !call.isDone && users === 0)
                .map(({ call }) => ({ ...call, isHeld: false }))
                .sort((one, other) => one.firstSentAt - other.firstSentAt);
        },
    };
}
