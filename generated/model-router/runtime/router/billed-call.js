/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readElapsed, within } from '../http/clock.js';
import { randomKey } from '../http/random-key.js';
import { explainEnd, perform, readOwner } from './call.js';
import { localFailure, storeFailure } from './failures.js';
import { isSameCall, keyLifetimeMs } from './key-store.js';
import { kept, settleResult } from './settling.js';
// A key must not run out while it is on its way.
const marginMs = 5 * 60 * 1000;
/** Sends a run or a submission; with a key, the call is in the store before its first byte is sent (MR-IDM-37). */
export async function sendBilled(request, { options, time }, session) {
    const { connection } = session;
    if (options.key === false)
        return perform(createCall(request, { time, repetition: 'unkeyed' }, connection), connection);
    const { stored, isNew } = await openCall(request, { options, time }, session);
    return { ...(await sendStored(stored, { request, time, isNew }, session)), key: stored.key };
}
/** The same answer of a run, whose key is forgotten as its caller wishes. */
export async function settleRun(answer, { request, settle }, { keys }) {
    const { key } = answer;
    const finish = async () => (key === undefined ? undefined : keys.finish(key));
    return settleResult(answer, { isManual: settle === 'manual', key, finish }, { call: { ...request, key }, keys });
}
/** Sends a call that is in the store, for the first time or again. */
export async function sendStored(stored, { request, time, isNew }, { connection, keys }) {
    const keyed = { ...request, key: stored.key, mayHaveRun: !isNew };
    const expiresAt = stored.firstSentAt + keyLifetimeMs - marginMs;
    if (connection.clock.now() >= expiresAt) {
        await kept(keys.finish(stored.key));
        const advice = 'its output can no longer be fetched with it, and a new key starts a new run, which may be billed';
        throw localFailure(keyed, `the key ${stored.key} is older than 24 hours, or nearly so: ${advice}`);
    }
    const { clock } = connection;
    const limit = { ...time, endsAt: Math.min(time.endsAt, readElapsed(clock) + expiresAt - clock.now()) };
    const call = { ...createCall(keyed, { time: limit, repetition: 'keyed' }, connection), owner: stored.owner };
    try {
        return await perform(call, connection);
    }
    catch (error) {
        const isOver = isSettled(error, isNew); // perform throws nothing else
        await kept(isOver ? keys.finish(stored.key) : keys.release(stored.key));
        throw error;
    }
}
/**
 * Whether no result can be waiting for the key. A refusal says so only of the attempt that it answers: where an earlier one
 * may have been accepted, the key is kept, which costs nothing.
 */
function isSettled(error, isNew) {
    if (isNew && (error.attempts === 0 || (error.kind === 'network' && !error.mayBeBilled)))
        return true;
    if (error.kind !== 'router' && error.kind !== 'validation')
        return false;
    if (error.facts.replayed || (error.status === 409 && error.category.known === 'invalid_input'))
        return true;
    return isNew && error.attempts === 1 && !error.isRetryable && error.status < 500;
}
async function openCall(request, { options, time }, { connection, keys }) {
    const key = options.key === undefined || options.key === false ? randomKey() : checkedKey(options.key, request);
    const { operation, model, url, body } = request;
    const owner = await readOwner(request, time, connection);
    const call = { key, operation, model, url, body, owner, firstSentAt: connection.clock.now() };
    const opening = record(call, options, keys);
    const limit = { signal: time.signal, ms: time.endsAt - readElapsed(connection.clock) };
    const opened = await within(opening, limit).catch((cause) => {
        // What the store writes down too late was never sent.
        void opening.then(({ stored, isNew }) => kept(isNew ? keys.finish(stored.key) : keys.release(stored.key)), () => undefined);
        const end = explainEnd(cause, { ...request, key, time }, 0);
        if (end !== cause)
            throw end;
        throw storeFailure({ ...request, key }, 'the key cannot be stored, so nothing is sent', cause);
    });
    if (isSameCall(opened.stored, call))
        return opened;
    await kept(keys.release(key));
    throw localFailure({ ...request, key }, `the key ${key} belongs to another request`);
}
async function record(call, { key, fresh }, keys) {
    const earlier = typeof key === 'string' ? await keys.take(key) : undefined;
    if (earlier !== undefined)
        return { stored: earlier, isNew: false };
    return keys.begin(call, { adopt: typeof key !== 'string' && fresh !== true });
}
function createCall(request, { time, repetition }, connection) {
    const key = request.key === undefined ? {} : { 'Idempotency-Key': request.key };
    // A replayed submission may be answered with the status of every replay (MR-IDM-03).
    const isSuccess = (status) => status === 200 || (request.operation === 'submit' && status === 201);
    return {
        ...request,
        repetition,
        isSuccess,
        time,
        timeoutMs: connection.runTimeoutMs,
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...key },
    };
}
function checkedKey(key, call) {
    if (/^[\x21-\x7e]{1,255}$/.test(key))
        return key;
    throw localFailure(call, 'an idempotency key has 1 to 255 visible ASCII characters');
}
