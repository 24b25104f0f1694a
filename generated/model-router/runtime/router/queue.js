/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { waitMs } from '../http/clock.js';
import { toObject } from '../http/read-body.js';
import { perform } from './call.js';
import { readCategory } from './categories.js';
import { endedFailure, localFailure, protocolFailure, stoppedFailure } from './failures.js';
/** Reads the status once. */
export async function readStatus(queued, time, connection) {
    const identity = identify('status', queued);
    const url = queued.addresses.statusUrl;
    const answer = await ask({ ...identity, url, repetition: 'read', isSuccess: isReady, time }, connection);
    return readState(identity, answer);
}
/** Every state that was read, until the request is no longer pending. */
export async function* readStates(queued, time, connection) {
    let { addresses } = queued;
    for (let polls = 1;; polls += 1) {
        const state = await readStatus({ ...queued, addresses }, time, connection);
        yield state;
        if (state.kind !== 'pending')
            return;
        ({ addresses } = state);
        await waitForNext(identify('status', queued), { state, polls, time }, connection);
    }
}
/** Waits for the result as the service tells, and collects it. */
export async function collect(queued, { time, stream = false }, connection) {
    const identity = identify('result', queued);
    const question = {
        repetition: 'collect',
        isSuccess: isReady,
        timeoutMs: connection.runTimeoutMs,
        time,
        stream,
    };
    let url = queued.addresses.responseUrl;
    for (let polls = 1;; polls += 1) {
        const answer = await ask({ ...identity, ...question, url }, connection);
        if (answer.status !== 202)
            return answer;
        const state = readState(identity, answer);
        if (state.kind === 'ended')
            throw endedFailure(identity, state);
        url = state.addresses.responseUrl;
        await waitForNext(identity, { state, polls, time }, connection);
    }
}
export async function cancelQueued(queued, time, connection) {
    const identity = identify('cancel', queued);
    const url = queued.addresses.cancelUrl;
    // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
    const isSuccess = (code, body) => isReady(code) || (code === 409 && cancelWords.includes(toObject(body)['status']));
    const answer = await ask({ ...identity, method: 'PUT', url, repetition: 'cancel', isSuccess, time }, connection);
    const { status } = toObject(answer.body);
    if (typeof status !== 'string')
        throw protocolFailure(identity, answer, 'the body is no cancel response');
    return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
}
const cancelWords = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];
const isReady = (status) => status === 200 || status === 202;
async function ask(call, connection) {
    checkOrigin(call.url, call, connection);
    return perform(call, connection);
}
/** Addresses come from the service, or from the key store; the credential goes to places that the caller chose. */
export function checkOrigin(url, identity, { trustedOrigins }) {
    const origin = URL.canParse(url) ? new URL(url).origin : 'an unreadable address';
    if (trustedOrigins.has(origin))
        return;
    throw localFailure(identity, `the address is at ${origin}, which gets no credential; name it in trustedOrigins if it is yours`);
}
async function waitForNext(identity, { state, polls, time }, { clock }) {
    const wait = waitMs(state.facts.retryAfterSeconds, polls, clock);
    if (clock.now() + wait >= time.endsAt)
        throw stoppedFailure(identity, { attempts: polls, deadlineMs: time.deadlineMs });
    try {
        await clock.sleep(wait, time.signal);
    }
    catch (cause) {
        throw stoppedFailure(identity, { attempts: polls }, cause);
    }
}
function readState(identity, answer) {
    const state = readQueueState(answer);
    if (state === undefined)
        throw protocolFailure(identity, answer, 'the body is no status response');
    return state;
}
export function identify(operation, { model, addresses, key, chargesOnPolicyRejection }) {
    return { operation, model, key, queued: addresses, chargesOnPolicyRejection };
}
/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export function readQueueState({ body, facts }) {
    const { request_id, status, status_url, response_url, cancel_url, error_type, queue_position } = toObject(body);
    if (typeof request_id !== 'string' || typeof status !== 'string')
        return undefined;
    if (typeof status_url !== 'string' || typeof response_url !== 'string' || typeof cancel_url !== 'string')
        return undefined;
    const every = {
        status,
        addresses: { requestId: request_id, statusUrl: status_url, responseUrl: response_url, cancelUrl: cancel_url },
        facts,
    };
    if (status !== 'COMPLETED') {
        return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
    }
    if (typeof error_type !== 'string')
        return { kind: 'succeeded', ...every };
    return { kind: 'ended', ...every, category: readCategory('', error_type) };
}
