/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { perform } from './call.js';
import { localFailure } from './failures.js';
import { isSameCall } from './key-store.js';
/** Keyed responses are kept for 24 hours, and an older key starts a new run (MR-IDM-46, MR-IDM-49). */
const keyLifetimeMs = 24 * 60 * 60 * 1000;
/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
export async function sendBilled(request, { options, time, store }, connection) {
    if (options.key === false)
        return perform(callOf(request, { time, repetition: 'unkeyed' }, connection), connection);
    const stored = await openCall(request, { options, store }, connection);
    return { ...(await sendStored(stored, { request, time, store }, connection)), key: stored.key };
}
/** Sends a call that is in the store, for the first time or again. */
export async function sendStored(stored, { request, time, store }, connection) {
    const keyed = { ...request, key: stored.key };
    const expiresAt = stored.firstSentAt + keyLifetimeMs;
    if (connection.clock.now() >= expiresAt) {
        await store.finish(stored.key);
        const advice = 'its output can no longer be fetched with it, and a new key starts a new run, which may be billed';
        throw localFailure(keyed, `the key ${stored.key} is older than 24 hours: ${advice}`);
    }
    const limit = { ...time, endsAt: Math.min(time.endsAt, expiresAt) };
    const call = { ...callOf(keyed, { time: limit, repetition: 'keyed' }, connection), owner: stored.owner };
    try {
        const answer = await perform(call, connection);
        if (request.operation === 'run')
            await store.finish(stored.key);
        return answer;
    }
    catch (error) {
        await (isSettled(error) ? store.finish(stored.key) : store.release(stored.key)); // perform throws nothing else
        throw error;
    }
}
/** Whether the service refused the call for good, so that no result can be waiting for its key. */
function isSettled(error) {
    if (error.kind !== 'router' && error.kind !== 'validation')
        return false;
    return !error.isRetryable && error.status < 500;
}
async function openCall(request, { options, store }, connection) {
    const key = options.key === undefined || options.key === false ? randomKey() : checkedKey(options.key, request);
    const { operation, model, url, body } = request;
    const { owner } = await connection.credential.current();
    const call = { key, operation, model, url, body, owner, firstSentAt: connection.clock.now() };
    if (typeof options.key !== 'string')
        return store.begin(call, { adopt: options.fresh !== true });
    const earlier = await store.take(key);
    if (earlier === undefined)
        return store.begin(call, { adopt: false });
    if (isSameCall(earlier, call))
        return earlier;
    await store.release(key);
    throw localFailure({ ...request, key }, `the key ${key} belongs to another request`);
}
function callOf(request, { time, repetition }, connection) {
    const { url, body } = request;
    const headers = {
        ...request.headers,
        'Content-Type': 'application/json',
        ...(request.key === undefined ? {} : { 'Idempotency-Key': request.key }),
    };
    const isSuccess = (status) => status === (request.operation === 'run' ? 200 : 201);
    return {
        ...request,
        repetition,
        isSuccess,
        time,
        timeoutMs: connection.runTimeoutMs,
        outgoing: { method: 'POST', url, headers, body },
    };
}
function checkedKey(key, call) {
    if (/^[\x21-\x7e]{1,255}$/.test(key))
        return key;
    throw localFailure(call, 'an idempotency key has 1 to 255 visible ASCII characters');
}
/** A UUID; pages that were not served securely have no `randomUUID`. */
function randomKey() {
    if (typeof crypto.randomUUID === 'function')
        return crypto.randomUUID();
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
