/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { parseUrl } from '../http/base-url.js';
import { performCall, queueDeadlineMs, runDeadlineMs, startCall } from '../http/call.js';
import { collectResult, submitOnce } from '../queue/requests.js';
import { identifyCall, sendBilled, stringifyInput } from '../router/billed.js';
import { connectionOf } from '../router/connection.js';
import { isSameCall } from '../router/key-store.js';
import { endRecord, toResult, waitForStore } from '../router/results.js';
import { createLocalError } from '../router/router-error.js';
import { toModel } from '../router/router-types.js';
const storeMethod = { defaultMs: 60_000 };
/** Lists billed calls without a known outcome that this program doesn't work on. `isHeld`: another program may work on it. */
export async function listPending(router) {
    const client = router[connectionOf];
    const identity = { operation: 'listPending' };
    const reading = Promise.all([client.keys.pending(), client.credential.owner()]);
    const [calls, owner] = await waitForStore(reading, identity, startCall(client, identity, storeMethod));
    return calls.map((call) => {
        if (call.damaged !== undefined)
            return { ...call, isOwn: false };
        const isOwn = call.owner === owner && client.trustedOrigins.has(parseUrl(call.url).origin ?? '');
        return { ...call, isOwn, needsInput: call.body === undefined && call.queued === undefined };
    });
}
/** Removes a call by its key, or a damaged record by its name. Its run may be billed, but its output can't be collected. */
export function forget(router, idempotencyKey) {
    const client = router[connectionOf];
    const identity = { operation: 'forget', idempotencyKey };
    return waitForStore(client.keys.forget(idempotencyKey), identity, startCall(client, identity, storeMethod));
}
/** Sends a stored call again with its key, or collects its queued result. With `model`, the output is typed. */
export function resume(router, reference, options = {}) {
    const client = router[connectionOf];
    const { idempotencyKey, operation, model: listedModel } = reference;
    const listed = { operation: operation ?? 'run', model: listedModel, idempotencyKey };
    const defaultMs = operation === 'run' ? runDeadlineMs : queueDeadlineMs;
    const method = { defaultMs, options: ['pollEveryMs', 'settle', 'model', 'input'] };
    const identity = { operation: 'resume', model: listedModel };
    return performCall(client, identity, method, options, async (call) => {
        const given = options.model === undefined ? undefined : toModel(options.model);
        const taking = client.keys.take(idempotencyKey);
        const stored = await waitForStore(taking, { ...listed, mayHaveRun: true }, call, (late) => {
            if (late !== undefined)
                void endRecord(idempotencyKey, 'release', call);
        });
        if (stored === undefined)
            throw createLocalError(listed, `no call with the key ${idempotencyKey} is pending, or another process is working on it`);
        const model = given ?? toModel(stored.model);
        const request = await restoreRequest(stored, model, options.input, client).catch(async (error) => {
            await endRecord(idempotencyKey, 'release', call);
            throw error;
        });
        if (isInQueue(stored))
            return await collectResult({ model, queued: stored.queued, idempotencyKey }, options, call);
        if (stored.operation === 'submit') {
            const admitted = await submitOnce(request, {}, call, stored);
            return await collectResult(admitted.request, options, call);
        }
        const answer = await sendBilled({ ...request, parse: (one) => one }, {}, call, stored);
        return await toResult(answer, options.settle, call);
    });
}
const isInQueue = (stored) => stored.queued !== undefined && !stored.isDone;
/** Returns the request of a stored call. Throws if this client must not send it, or has no input for it. */
async function restoreRequest(stored, model, input, client) {
    const { idempotencyKey, operation, url } = stored;
    const identity = identifyCall(operation, model);
    const keyed = { ...identity, idempotencyKey, mayHaveRun: true };
    const { origin = 'an unreadable URL' } = parseUrl(url);
    if (model.id !== stored.model)
        throw createLocalError(keyed, `the call was made for ${stored.model}, not for ${model.id}`);
    if (stored.owner !== (await client.credential.owner()))
        throw createLocalError(keyed, 'the call was sent with a different credential; set credentialScope if both have the same owner');
    if (!client.trustedOrigins.has(origin))
        throw createLocalError(keyed, `the call was sent to ${origin}, which is not in trustedOrigins`);
    if (isInQueue(stored))
        return { identity, model, url, body: '' }; // Only its result is collected.
    const body = input === undefined ? stored.body : stringifyInput(input, keyed);
    if (body === undefined)
        throw createLocalError(keyed, stored.isDone
            ? 'the call is over, and its caller got the result; to get it again, pass the option input'
            : 'the key store no longer has the input: pass it as the option input');
    if (!isSameCall({ ...stored, body }, stored))
        throw createLocalError(keyed, 'the input differs from that of the stored call');
    return { identity, model, url, body };
}
