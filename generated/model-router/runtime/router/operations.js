/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { sendBilled, sendStored } from './billed-call.js';
import { endedFailure, localFailure, protocolFailure } from './failures.js';
import { modelUrl, queryOf } from './model-address.js';
import { cancelQueued, collect, readStates, readStatus } from './queue.js';
import { readQueueState } from './queue-state.js';
import { toResult } from './results.js';
const day = 24 * 60 * 60 * 1000;
export function limitOf({ signal, deadlineMs }, { connection }, usualMs = day) {
    const lasts = deadlineMs ?? usualMs;
    return { signal: signal ?? new AbortController().signal, deadlineMs: lasts, endsAt: connection.clock.now() + lasts };
}
export async function run(target, input, options, session) {
    const { modelProvider, fallbackProvider, strictMode } = options;
    const request = requestOf('run', target, input, session);
    if (strictMode === true && modelProvider === undefined)
        throw localFailure(request, 'strictMode needs modelProvider');
    const query = queryOf({
        model_provider: modelProvider,
        strict_mode: strictMode?.toString(),
        fallback_provider: fallbackProvider,
    });
    const url = `${request.url}${query}`;
    const billed = { ...request, url, stream: options.as === 'stream' };
    const answer = await sendBilled(billed, contextOf(options, session), session.connection);
    return toResult(answer, modelProvider !== undefined && strictMode !== true);
}
export async function submit(target, input, options, session) {
    const request = requestOf('submit', target, input, session);
    const answer = await sendBilled(request, contextOf(options, session), session.connection);
    return admitted({ ...request, ...(answer.key === undefined ? {} : { key: answer.key }) }, answer, session);
}
async function admitted(request, answer, session) {
    const state = readQueueState(answer.body.kind === 'json' ? answer.body.value : undefined, answer.facts);
    if (state === undefined)
        throw protocolFailure(request, answer, 'the body is no handle of a queued request');
    if (request.key !== undefined)
        await session.store.admit(request.key, state.addresses);
    const { model, key, chargesOnPolicyRejection } = request;
    return handleOf({ model, key, chargesOnPolicyRejection, addresses: state.addresses }, session, answer.facts.replayed);
}
export async function subscribe(target, input, options, session) {
    const { clock } = session.connection;
    const time = limitOf(options, session);
    const left = () => ({ signal: time.signal, deadlineMs: Math.max(0, time.endsAt - clock.now()) });
    const handle = await submit(target, input, { ...options, ...left() }, session);
    try {
        for await (const state of handle.states(left())) {
            options.onStatus?.(state);
            if (state.kind === 'ended')
                throw endedFailure(identityOf(handle, target), state);
        }
        return await handle.result({ ...left(), ...(options.as === undefined ? {} : { as: options.as }) });
    }
    catch (error) {
        const { kind } = error; // anything else has no kind
        if (options.cancelOnAbort === true && (kind === 'aborted' || kind === 'timeout'))
            await handle.cancel({ deadlineMs: 10_000 }).catch(() => undefined); // the first error is the one to report
        throw error;
    }
}
function identityOf({ addresses, key }, target) {
    const chargesOnPolicyRejection = typeof target === 'string' ? undefined : target.chargesOnPolicyRejection;
    return { operation: 'result', model: idOf(target), key, queued: addresses, chargesOnPolicyRejection };
}
/** Goes on with a call that the key store holds. */
export async function resume(call, options, session) {
    const { store, connection } = session;
    const { operation, model, url, body, queued, key } = call;
    const request = { operation, model, url, body, headers: {}, key };
    const stored = await store.take(key);
    if (stored === undefined)
        throw localFailure(request, `nothing is pending under the key ${key}, or another process works on it`);
    const time = limitOf(options, session);
    if (queued !== undefined)
        return handleOf({ model, key, addresses: queued }, session, false).result(options);
    const answer = await sendStored(stored, { request, time, store }, connection);
    if (operation === 'run')
        return toResult({ ...answer, key }, url.includes('?')); // the data is unknown in both
    return (await admitted(request, { ...answer, key }, session)).result(options);
}
/** A queued request, by its addresses. */
export function handleOf(queued, session, replayed) {
    const { connection, store } = session;
    const minutes = 5 * 60_000;
    const states = (options = {}) => readStates(queued, limitOf(options, session), connection);
    const { key, addresses } = queued;
    return {
        requestId: addresses.requestId,
        addresses,
        ...(key === undefined ? {} : { key }),
        replayed,
        status: (options = {}) => readStatus(queued, limitOf(options, session, minutes), connection),
        states,
        [Symbol.asyncIterator]: () => states()[Symbol.asyncIterator](),
        cancel: (options = {}) => cancelQueued(queued, limitOf(options, session, minutes), connection),
        async result(options = {}) {
            const answer = await collect(queued, { time: limitOf(options, session), stream: options.as === 'stream' }, connection);
            if (key !== undefined)
                await store.finish(key);
            return toResult(answer, false); // no other provider serves a queued request
        },
    };
}
/** The addresses that the API documents give to a request id, for callers who kept nothing else. */
export function addressesOf(model, requestId, { connection }) {
    const base = `${modelUrl(connection.baseUrl, model, { operation: 'status', model })}/requests/${encodeURIComponent(requestId)}`;
    return { requestId, statusUrl: `${base}/status`, responseUrl: base, cancelUrl: `${base}/cancel` };
}
export const idOf = (target) => (typeof target === 'string' ? target : target.id);
function requestOf(operation, target, input, { connection }) {
    const model = idOf(target);
    const chargesOnPolicyRejection = typeof target === 'string' ? undefined : target.chargesOnPolicyRejection;
    const identity = { operation, model, chargesOnPolicyRejection };
    const path = modelUrl(connection.baseUrl, model, identity);
    return {
        ...identity,
        url: operation === 'run' ? path : `${path}/requests`,
        body: bodyOf(input, identity),
        headers: {},
    };
}
function bodyOf(input, identity) {
    try {
        const text = JSON.stringify(input);
        if (text?.startsWith('{'))
            return text;
    }
    catch (cause) {
        throw localFailure(identity, 'the input cannot be written as JSON', cause);
    }
    throw localFailure(identity, 'an input is a JSON object');
}
function contextOf(options, session) {
    return { options, time: limitOf(options, session), store: session.store };
}
