/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { kept, sendStored } from './billed-call.js';
import { anotherOwner, readOwner, startDeadline } from './call.js';
import { localFailure } from './failures.js';
import { checkOrigin } from './queue.js';
import { admitted, collectOrLeave } from './queued-request.js';
import { toResult } from './results.js';
/** Goes on with a call that the key store holds. */
export async function resume(session, { key, operation, model }, options = {}) {
    const { store } = session;
    const identity = { operation, model, key };
    const stored = await store.take(key).catch((cause) => {
        throw localFailure(identity, 'the key store cannot be read', { cause });
    });
    if (stored === undefined)
        throw localFailure(identity, `nothing is pending under the key ${key}, or another process works on it`);
    const time = startDeadline(options, session.connection);
    try {
        return await resumeStored(stored, time, session);
    }
    catch (error) {
        await kept(store.release(key)); // does nothing for a call that is forgotten
        throw error;
    }
}
async function resumeStored(stored, time, session) {
    const { connection } = session;
    const { operation, model, url, body, key, queued: addresses } = stored;
    const request = { operation, model, url, body, key, mayHaveRun: true };
    checkOrigin(url, request, connection);
    const owner = await readOwner(request, time, connection);
    if (owner !== stored.owner)
        throw anotherOwner(request, 0);
    const queued = addresses && { model, key, addresses };
    if (queued !== undefined)
        return collectOrLeave(queued, { time }, session);
    const answer = await sendStored(stored, { request, time, isNew: false }, session);
    if (operation === 'submit')
        return collectOrLeave(await admitted(request, answer, session), { time }, session);
    const query = new URL(url).searchParams;
    return toResult({ ...answer, key }, query.has('model_provider') && query.get('strict_mode') !== 'true');
}
