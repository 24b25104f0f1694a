/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { settled } from '../http/settled.js';
import { startDeadline } from './call.js';
import { endedFailure, protocolFailure } from './failures.js';
import { cancelQueued, collect, identify, readState, readStates, readStatus, } from './queue.js';
import { toResult } from './results.js';
import { isRouterError } from './router-error.js';
import { kept, settleResult } from './settling.js';
import { checkOptions, watchCall } from './watch-call.js';
/** Keeps where an admitted request is; throws where the answer does not say so. */
export async function admitted(request, answer, { connection, keys }) {
    const state = readState(request, answer, connection);
    const { model, key, chargesOnPolicyRejection } = request;
    if (state === undefined) {
        if (key !== undefined)
            await kept(keys.release(key));
        throw protocolFailure(request, answer, 'the body is no handle of a queued request');
    }
    if (key !== undefined)
        await kept(keys.admit(key, state.addresses));
    return { queued: { model, key, chargesOnPolicyRejection, addresses: state.addresses }, state };
}
/** Collects the output, which ends the call in the key store. */
export async function collectResult(queued, { time, as, settle, ended }, { connection, keys }) {
    const answer = await collect(queued, { time, stream: as === 'stream', ended }, connection);
    const settling = { isManual: settle === 'manual', key: queued.key, finish: () => forget(queued, keys) };
    const result = await settleResult(answer, settling, { call: identify('result', queued), keys });
    return toResult(result, false); // no other provider serves a queued request
}
/** Collects why a request ended without an output: the collection says more than the status does. */
export async function collectFailure(queued, wanted, session) {
    try {
        return await collectResult(queued, wanted, session);
    }
    catch (error) {
        const { kind, isRetryable } = error; // anything else has no kind
        if (kind === 'aborted' || (!isRetryable && (kind === 'router' || kind === 'validation')))
            throw error;
        throw endedFailure(identify('result', queued), wanted.ended, error);
    }
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
export async function leave(queued, error, { keys }) {
    const facts = error; // anything else has no kind
    const isAnswer = facts.kind === 'router' || facts.kind === 'validation';
    const hasEnded = isAnswer && !facts.isRetryable && facts.status !== 401 && facts.status !== 403;
    if (hasEnded)
        await kept(forget(queued, keys));
    else if (queued.key !== undefined)
        await kept(keys.release(queued.key));
}
/** Who collects by the request id alone may have submitted with the same store. */
function forget({ key, addresses }, keys) {
    return key === undefined ? keys.finishQueued(addresses.requestId) : keys.finish(key);
}
/** A queued request, by its addresses. */
export function createHandle(queued, session, replayed) {
    const minutes = 5 * 60_000;
    const { key, addresses, model } = queued;
    const states = (options = {}) => {
        checkOptions({ operation: 'status', model, options, takes: 'pollEvery' });
        return readStates(queued, startDeadline(options, session.connection), session.connection);
    };
    const methods = {
        status: async (options = {}) => watchCall(session, { operation: 'status', model, options }, ({ connection }) => readStatus(queued, startDeadline(options, connection, minutes), connection)),
        cancel: async (options = {}) => watchCall(session, { operation: 'cancel', model, options }, ({ connection }) => cancelQueued(queued, startDeadline(options, connection, minutes), connection)),
        result: async (options = {}) => watchCall(session, { operation: 'result', model, options, takes: 'pollEvery as settle' }, (inner) => {
            const { as, settle } = options;
            return collectOrLeave(queued, { as, settle, time: startDeadline(options, inner.connection) }, inner);
        }),
    };
    return {
        requestId: addresses.requestId,
        addresses,
        ...(key === undefined ? {} : { key }),
        replayed,
        ...methods,
        states,
        [Symbol.asyncIterator]: () => states()[Symbol.asyncIterator](),
        safe: settled(methods, isRouterError),
        // What the output is depends on the options, which the types of `QueuedRequest` say.
    };
}
