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
export const admitCall = (call, queued) => ({ ...dropBody(call), queued });
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
/** Maximum characters in the stored bodies of calls that ended without an outcome. The oldest are dropped first. */
const maxIdleBodySize = 16 * 1024 * 1024;
/** Creates an in-memory store, which is lost with the process. */
export function createMemoryKeyStore({ maxCalls = 200_000, clock = systemClock, } = {}) {
    const calls = new Map(); // Oldest first.
    const idleBodies = new Set(); // Keys of calls that ended without an outcome and have a body, oldest first.
    let idleSize = 0;
    const change = (keptCall, call) => {
        const { idempotencyKey: key, body = '' } = keptCall.call;
        if (idleBodies.delete(key))
            idleSize -= body.length;
        if (call !== undefined)
            keptCall.call = call;
        else
            calls.delete(key);
    };
    const removeOld = () => {
        for (const keptCall of calls.values()) {
            if (clock.now() < keptCall.call.firstSentAt + listedMs || keptCall.users > 0)
                break;
            change(keptCall);
        }
    };
    return {
        async begin(call) {
            removeOld();
            const keptCall = calls.get(call.idempotencyKey);
            if (keptCall === undefined) {
                if (calls.size >= maxCalls)
                    throw new Error(`it is full (${maxCalls} calls in two days): forget some, or set a larger maxCalls`);
                calls.set(call.idempotencyKey, { call, users: 1 });
                return { stored: call, isNew: true };
            }
            if (!isSameCall(keptCall.call, call))
                return { stored: keptCall.call, isNew: false };
            const { isDone, queued } = keptCall.call;
            const body = isDone || queued !== undefined || call.body === undefined ? {} : { body: call.body };
            const isExplicit = keptCall.call.isExplicit || call.isExplicit;
            change(keptCall, { ...keptCall.call, ...body, isExplicit });
            keptCall.users += 1;
            return { stored: keptCall.call, isNew: false };
        },
        async take(key) {
            removeOld();
            const keptCall = calls.get(key);
            if (keptCall === undefined || keptCall.users > 0)
                return undefined;
            change(keptCall, keptCall.call);
            keptCall.users += 1;
            return keptCall.call;
        },
        async admit(key, queued) {
            const keptCall = calls.get(key);
            if (keptCall === undefined)
                return;
            change(keptCall, admitCall(keptCall.call, queued));
        },
        async finish(key) {
            const keptCall = calls.get(key);
            if (keptCall === undefined)
                return;
            change(keptCall, keptCall.call.isExplicit ? { ...dropBody(keptCall.call), isDone: true } : undefined);
            keptCall.users = Math.max(0, keptCall.users - 1);
        },
        async release(key) {
            const keptCall = calls.get(key);
            if (keptCall === undefined)
                return;
            keptCall.users = Math.max(0, keptCall.users - 1);
            const { call, users } = keptCall;
            if (users > 0 || call.body === undefined || idleBodies.has(key))
                return;
            idleBodies.add(key);
            idleSize += call.body.length;
            for (const oldest of idleBodies) {
                if (idleSize <= maxIdleBodySize)
                    break;
                const other = calls.get(oldest);
                if (other !== undefined)
                    change(other, dropBody(other.call));
            }
        },
        async forget(key) {
            const keptCall = calls.get(key);
            if (keptCall !== undefined)
                change(keptCall);
        },
        async pending() {
            removeOld();
            return [...calls.values()]
                .filter(({ call, users }) => !call.isDone && users === 0)
                .map(({ call }) => ({ ...call, isHeld: false }))
                .sort((one, other) => one.firstSentAt - other.firstSentAt);
        },
    };
}
