/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { notify } from '../http/observers.js';
import { sendBilled, sendStored } from './billed-call.js';
import { fail, fromStore } from './failures.js';
import { printInput, refuseInvalid } from './input.js';
import { formatQuery, modelUrl } from './model-address.js';
import { readStates } from './queue.js';
import { admit, collectOrLeave, collectResult, orLeave } from './queued-request.js';
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
    const url = `${request.url}${query}`;
    const { mediaTypes, isAlternate } = expectOutput(url, toModel(target));
    return toResult(await sendBilled({ ...request, url, mediaTypes }, work), isAlternate, work);
}
/** What the query of a run says of its output. */
function expectOutput(url, { outputMediaTypes }) {
    const { searchParams: query } = new URL(url);
    const isNamed = query.has('model_provider');
    const mediaTypes = isNamed || query.has('fallback_provider') ? undefined : outputMediaTypes;
    return { mediaTypes, isAlternate: isNamed && query.get('strict_mode') !== 'true' };
}
/** Puts a run into the queue. */
export async function enqueue(target, input, work) {
    return admit(await sendBilled(await createRequest('submit', target, input, work), work), work);
}
export async function subscribe(target, input, work) {
    const admitted = await enqueue(target, input, work);
    return orLeave(follow(admitted, work), admitted.call, work);
}
async function follow({ call, state: first }, work) {
    let last = first;
    void notify(work.onStatus, first);
    for await (const state of readStates(call, work)) {
        last = state;
        void notify(work.onStatus, state);
    }
    return collectResult({ ...call, queued: last.addresses }, last.kind === 'ended' ? last : undefined, work);
}
async function createRequest(operation, target, input, { baseUrl, validate }) {
    const { id: model, chargesOnPolicyRejection, inputAuthored, loadValidator } = toModel(target);
    const identity = { operation, model, chargesOnPolicyRejection, inputAuthored };
    const path = modelUrl(baseUrl, model, identity);
    const body = printInput(input, identity);
    await refuseInvalid(body, validate, { ...identity, loadValidator });
    return { ...identity, url: operation === 'run' ? path : `${path}/requests`, body };
}
export function toModel(target) {
    return typeof target === 'string' ? { id: target } : target;
}
/** Goes on with a call that the key store holds. */
export async function resume({ key, operation = 'run', model }, work) {
    const { keys } = work;
    const identity = { operation, model, key };
    const stored = await fromStore(keys.take(key), identity, 'the call cannot be taken from the key store');
    if (stored === undefined)
        throw fail(identity, `nothing is pending under the key ${key}, or another process works on it`);
    try {
        return await resumeStored(stored, work);
    }
    catch (error) {
        await kept(keys.release(key)); // does nothing for a call that is forgotten
        throw error;
    }
}
async function resumeStored(stored, work) {
    const { operation, model, url, body, key, queued } = stored;
    const { id, ...facts } = toModel(work.model ?? model);
    const { origin } = new URL(url);
    const { mediaTypes, isAlternate } = expectOutput(url, facts);
    const request = { ...facts, operation, model, url, body, key, mediaTypes, mayHaveRun: true };
    if (id !== model)
        throw fail(request, `the call is one of ${model}, and not of ${id}`);
    if (!work.trustedOrigins.has(origin))
        throw fail(request, `the call was sent to ${origin}; name it in trustedOrigins if it is yours`);
    if (queued !== undefined)
        return collectOrLeave({ model, key, queued, owner: stored.owner }, work);
    const answer = await sendStored(stored, request, work);
    if (operation === 'submit')
        return collectOrLeave((await admit(answer, work)).call, work);
    return toResult(answer, isAlternate, work);
}
