/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { performCall, queueMs, runMs } from '../http/call.js';
import { admit, collectResult } from '../queue/requests.js';
import { identify, sendBilled, stringifyInput } from '../router/billed.js';
import { connectionOf } from '../router/connection.js';
import { isSameCall } from '../router/key-store.js';
import { endRecord, toResult } from '../router/results.js';
import { explainStoreErrors, refuse } from '../router/router-error.js';
import { toModel } from '../router/router-types.js';
/** Lists billed calls without a known outcome that this program doesn't work on. `isHeld`: another program may work on it. */
export async function listPending(router) {
    const client = router[connectionOf];
    const reading = Promise.all([client.keys.pending(), client.credential.owner()]);
    const [calls, owner] = await explainStoreErrors(reading, { operation: 'listPending' });
    return calls.map((call) => {
        if (call.damaged !== undefined)
            return { ...call, isOwn: false };
        const isOwn = call.owner === owner && client.trustedOrigins.has(new URL(call.url).origin);
        return { ...call, isOwn, needsInput: call.body === undefined && call.queued === undefined };
    });
}
/** Removes a call by its key, or a damaged record by its name. Its run may be billed, but its output can't be collected. */
export function forget(router, idempotencyKey) {
    const client = router[connectionOf];
    return explainStoreErrors(client.keys.forget(idempotencyKey), { operation: 'forget', idempotencyKey });
}
/** Sends a stored call again with its key, or collects its queued result. With `model`, the output is typed. */
export function resume(router, reference, options = {}) {
    const client = router[connectionOf];
    const { idempotencyKey, operation, model: listedModel } = reference;
    const listed = { operation: operation ?? 'run', model: listedModel, idempotencyKey };
    const defaultMs = operation === 'run' ? runMs : queueMs;
    const method = { defaultMs, options: ['pollEveryMs', 'settle', 'model', 'input'] };
    const identity = { operation: 'resume', model: listedModel };
    return performCall(client, identity, method, options, async (call) => {
        const stored = await explainStoreErrors(client.keys.take(idempotencyKey), listed);
        if (stored === undefined)
            throw refuse(listed, `no call with the key ${idempotencyKey} is pending, or another process is working on it`);
        try {
            const { url, queued } = stored;
            const model = toModel(options.model ?? stored.model);
            const identity = identify(stored.operation, model);
            const keyed = { ...identity, idempotencyKey, mayHaveRun: true };
            const { origin } = new URL(url);
            if (model.id !== stored.model)
                throw refuse(keyed, `the call was made for ${stored.model}, not for ${model.id}`);
            if (stored.owner !== (await client.credential.owner()))
                throw refuse(keyed, 'the call was sent with a different credential; set credentialScope if both have the same owner');
            if (!client.trustedOrigins.has(origin))
                throw refuse(keyed, `the call was sent to ${origin}, which is not in trustedOrigins`);
            if (queued !== undefined && !stored.isDone)
                return await collectResult({ model, queued, idempotencyKey }, options, call);
            const body = options.input === undefined ? stored.body : stringifyInput(options.input, keyed);
            if (body === undefined)
                throw refuse(keyed, 'the key store no longer has the input: pass it as the option input');
            if (!isSameCall({ ...stored, body }, stored))
                throw refuse(keyed, 'the input differs from that of the stored call');
            const request = { identity, model, url, body };
            if (stored.operation === 'submit') {
                const admitted = await admit(request, {}, call, stored);
                return await collectResult(admitted.request, options, call);
            }
            const answer = await sendBilled({ ...request, parse: (one) => one }, {}, call, stored);
            return await toResult(answer, options.settle, call);
        }
        catch (error) {
            // Does nothing if the call has already left the store.
            await endRecord(idempotencyKey, 'release', call);
            throw error;
        }
    });
}
