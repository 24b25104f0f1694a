/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { sendStored, settleRun } from './billed-call.js';
import { anotherOwner, readOwner, startDeadline } from './call.js';
import { localFailure, storeFailure } from './failures.js';
import { findMediaTypes, toModel } from './model-facts.js';
import { admitted, collectOrLeave } from './queued-request.js';
import { toResult } from './results.js';
import { kept } from './settling.js';
/** Goes on with a call that the key store holds. */
export async function resume(session, { key, operation = 'run', model }, options = {}) {
    const { keys } = session;
    const identity = { operation, model, key };
    const stored = await keys.take(key).catch((cause) => {
        throw storeFailure(identity, 'the call cannot be taken from the key store', cause);
    });
    if (stored === undefined)
        throw localFailure(identity, `nothing is pending under the key ${key}, or another process works on it`);
    const time = startDeadline(options, session.connection);
    try {
        return await resumeStored(stored, { options, time }, session);
    }
    catch (error) {
        await kept(keys.release(key)); // does nothing for a call that is forgotten
        throw error;
    }
}
async function resumeStored(stored, { options, time }, session) {
    const { connection } = session;
    const { operation, model, url, body, key, queued: addresses } = stored;
    const { id, ...facts } = toModel(options.model ?? model);
    const query = new URL(url).searchParams;
    const modelProvider = query.get('model_provider') ?? undefined;
    const mediaTypes = findMediaTypes(facts, {
        modelProvider,
        fallbackProvider: query.get('fallback_provider') ?? undefined,
    });
    const request = { ...facts, operation, model, url, body, key, mediaTypes, mayHaveRun: true };
    if (id !== model)
        throw localFailure(request, `the call is one of ${model}, and not of ${id}`);
    if (!connection.trustedOrigins.has(new URL(url).origin))
        throw localFailure(request, `the call was sent to ${new URL(url).origin}; name it in trustedOrigins if it is yours`);
    const owner = await readOwner(request, time, connection);
    if (owner !== stored.owner)
        throw anotherOwner(request, 0);
    const { settle } = options;
    const queued = addresses && { model, key, addresses };
    if (queued !== undefined)
        return collectOrLeave(queued, { time, settle }, session);
    const answer = await sendStored(stored, { request, time, isNew: false }, session);
    if (operation === 'submit')
        return collectOrLeave((await admitted(request, answer, session)).queued, { time, settle }, session);
    const settled = await settleRun({ ...answer, key }, { request, settle }, session);
    return toResult(settled, modelProvider !== undefined && query.get('strict_mode') !== 'true');
}
