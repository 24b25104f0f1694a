/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { performCall, queueDeadlineMs, readDeadlineMs, runDeadlineMs, startCall, } from '../http/call.js';
import { omitUndefined } from '../http/omit-undefined.js';
import { connectionOf } from '../router/connection.js';
import { outputOptions, submitOptions } from '../router/create-router.js';
import { toModel } from '../router/router-types.js';
import { buildRequestUrls, cancelRequest, collectResult, enqueue, readStates, readStatus, } from './requests.js';
/** Puts a run into the queue and returns immediately. */
export async function submit(router, target, input, options = {}) {
    const client = router[connectionOf];
    const model = toModel(target);
    const identity = { operation: 'submit', model: model.id };
    const method = { defaultMs: runDeadlineMs, options: submitOptions };
    const { request, replayed } = await performCall(client, identity, method, options, (call) => enqueue(model, input, options, call));
    return createHandle(client, request, replayed);
}
/** Submits a run, follows its status, and collects the output. */
export function subscribe(router, target, input, options = {}) {
    const client = router[connectionOf];
    const model = toModel(target);
    const identity = { operation: 'subscribe', model: model.id };
    const method = { defaultMs: queueDeadlineMs, options: [...outputOptions, 'pollEveryMs', 'onStatus'] };
    return performCall(client, identity, method, options, async (call) => {
        const { request, state } = await enqueue(model, input, options, call);
        return await collectResult(request, options, call, state);
    });
}
/** Returns the handle of a request that was submitted elsewhere, from its URLs or its id. */
export function queued(router, target, request) {
    const client = router[connectionOf];
    const model = toModel(target);
    const addresses = typeof request === 'string' ? buildRequestUrls(client, model.id, request) : request;
    const idempotencyKey = client.keysOfRequests.get(addresses.requestId);
    return createHandle(client, { model, queued: addresses, idempotencyKey }, false);
}
function createHandle(client, request, replayed) {
    const { model, queued: addresses, idempotencyKey } = request;
    const identify = (operation) => ({ operation, model: model.id });
    const readMethod = { defaultMs: readDeadlineMs };
    const pollMethod = { defaultMs: queueDeadlineMs, options: ['pollEveryMs'] };
    const resultMethod = { defaultMs: queueDeadlineMs, options: ['pollEveryMs', 'as', 'settle'] };
    const states = (options = {}) => readStates(request, options, startCall(client, identify('status'), pollMethod, options));
    return {
        requestId: addresses.requestId,
        addresses,
        ...omitUndefined({ idempotencyKey }),
        replayed,
        states,
        [Symbol.asyncIterator]: () => states(),
        status: (options) => performCall(client, identify('status'), readMethod, options, (call) => readStatus(request, call)),
        result: (options = {}) => performCall(client, identify('result'), resultMethod, options, (call) => collectResult(request, options, call)),
        cancel: (options) => performCall(client, identify('cancel'), readMethod, options, (call) => cancelRequest(request, call)),
    };
}
