/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { sendBilled, sendStored } from './billed-call.js';
import { fail, fromStore } from './failures.js';
import { printInput, refuseInvalid } from './input.js';
import { formatQuery, modelUrl } from './model-address.js';
import { admit, collectOrLeave, readAdmitted } from './queued-request.js';
import { kept, toResult } from './results.js';
export async function run(target, input, work) {
    const { modelProvider, fallbackProvider, strictMode } = work;
    const request = await createRequest('run', target, input, work);
    if (strictMode === true && modelProvider === undefined)
        throw fail(request, 'strictMode needs modelProvider');
    const query = formatQuery({
        model_provider: modelProvider,
        strict_mode: strictMode?.toString(),
        fallback_provider: fallbackProvider,
    });
    return toResult(await sendBilled({ ...request, url: request.url + query }, work), work);
}
/** Puts a run into the queue. */
export async function enqueue(target, input, work) {
    const request = await createRequest('submit', target, input, work);
    return admit(await sendBilled({ ...request, parse: readAdmitted }, work), work);
}
export async function subscribe(target, input, work) {
    const { call, state } = await enqueue(target, input, work);
    return collectOrLeave(call, work, state);
}
async function createRequest(operation, target, input, { baseUrl, validate }) {
    const { id: model, ...facts } = toModel(target);
    const identity = { ...facts, operation, model };
    const path = modelUrl(baseUrl, identity);
    const body = printInput(input, identity);
    if (validate)
        refuseInvalid(body, validate, identity);
    return { ...identity, url: operation === 'run' ? path : `${path}/requests`, body };
}
export function toModel(target) {
    return typeof target === 'string' ? { id: target } : target;
}
/** Goes on with a call that the key store holds. */
export async function resume({ key, operation = 'run', model }, work) {
    const { keys } = work;
    const identity = { operation, model, key };
    const stored = await fromStore(keys.take(key), identity);
    if (stored === undefined)
        throw fail(identity, `nothing is pending under the key ${key}, or another process works on it`);
    try {
        return await resumeStored(stored, work);
    }
    catch (error) {
        await kept(() => keys.release(key), work); // does nothing for a call that is forgotten
        throw error;
    }
}
async function resumeStored(stored, work) {
    const { operation, model, url, body, key, queued, owner } = stored;
    const { id, ...facts } = toModel(work.model ?? model);
    const { origin } = new URL(url);
    const request = { ...facts, operation, model, url, body, key, mayHaveRun: true };
    if (id !== model)
        throw fail(request, `the call is one of ${model}, and not of ${id}`);
    if (!work.trustedOrigins.has(origin))
        throw fail(request, `the call was sent to ${origin}, which is not in trustedOrigins`);
    if (queued !== undefined)
        return collectOrLeave({ model, key, queued, owner }, work);
    if (operation === 'run')
        return toResult(await sendStored(stored, request, work), work);
    const admitted = await admit(await sendStored(stored, { ...request, parse: readAdmitted }, work), work);
    return collectOrLeave(admitted.call, work);
}
