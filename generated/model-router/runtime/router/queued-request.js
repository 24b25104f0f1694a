/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { kept } from './billed-call.js';
import { startDeadline } from './call.js';
import { localFailure, protocolFailure } from './failures.js';
import { isSegment, modelUrl } from './model-address.js';
import { cancelQueued, collect, readQueueState, readStates, readStatus } from './queue.js';
import { toResult } from './results.js';
import { settled } from './settled.js';
/** Keeps where an admitted request is; throws where the answer does not say so. */
export async function admitted(request, answer, { store }) {
    const state = readQueueState(answer);
    const { model, key, chargesOnPolicyRejection } = request;
    if (state === undefined) {
        if (key !== undefined)
            await kept(store.release(key));
        throw protocolFailure(request, answer, 'the body is no handle of a queued request');
    }
    if (key !== undefined)
        await kept(store.admit(key, state.addresses));
    return { model, key, chargesOnPolicyRejection, addresses: state.addresses };
}
/** Collects the output, which ends the call in the key store. */
export async function collectResult(queued, { time, as }, session) {
    const answer = await collect(queued, { time, stream: as === 'stream' }, session.connection);
    if (queued.key !== undefined)
        await kept(session.store.finish(queued.key));
    return toResult(answer, false); // no other provider serves a queued request
}
/** The same where nothing else follows the result: without one the request is left. */
export async function collectOrLeave(queued, wanted, session) {
    try {
        return await collectResult(queued, wanted, session);
    }
    catch (error) {
        await leave(queued, error, session);
        throw error;
    }
}
/** A request that ended without a result is forgotten; any other one stays in the store, to be resumed. */
export async function leave({ key }, error, { store }) {
    const facts = error; // anything else has no kind
    const isAnswer = facts.kind === 'router' || facts.kind === 'validation';
    const hasEnded = isAnswer && !facts.isRetryable && facts.status !== 401 && facts.status !== 403;
    if (key !== undefined)
        await kept(hasEnded ? store.finish(key) : store.release(key));
}
/** A queued request, by its addresses. */
export function createHandle(queued, session, replayed) {
    const { connection } = session;
    const minutes = 5 * 60_000;
    const states = (options = {}) => readStates(queued, startDeadline(options, connection), connection);
    const { key, addresses } = queued;
    const methods = {
        status: (options = {}) => readStatus(queued, startDeadline(options, connection, minutes), connection),
        cancel: (options = {}) => cancelQueued(queued, startDeadline(options, connection, minutes), connection),
        result: async (options = {}) => collectOrLeave(queued, { time: startDeadline(options, connection), as: options.as }, session),
    };
    return {
        requestId: addresses.requestId,
        addresses,
        ...(key === undefined ? {} : { key }),
        replayed,
        ...methods,
        states,
        [Symbol.asyncIterator]: () => states()[Symbol.asyncIterator](),
        safe: settled(methods),
    };
}
/** The addresses that the API documents give to a request id, for callers who kept nothing else. */
export function buildAddresses(model, requestId, { connection }) {
    const identity = { operation: 'status', model };
    if (!isSegment(requestId))
        throw localFailure(identity, 'a request id is a UUID');
    const base = `${modelUrl(connection.baseUrl, model, identity)}/requests/${encodeURIComponent(requestId)}`;
    return { requestId, statusUrl: `${base}/status`, responseUrl: base, cancelUrl: `${base}/cancel` };
}
