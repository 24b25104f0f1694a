/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { waitMs } from '../http/clock.js';
import { perform } from './call.js';
import { endedFailure, isRecord, localFailure, protocolFailure, stoppedFailure, } from './failures.js';
import { readQueueState } from './queue-state.js';
const readTimeoutMs = 60_000;
/** Reads the status once. */
export async function readStatus(queued, time, connection) {
    const identity = identityOf('status', queued);
    const answer = await ask({ identity, url: queued.addresses.statusUrl, repetition: 'read', time }, connection);
    return stateOf(identity, answer);
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
        await waitForNext(identityOf('status', queued), { state, polls, time }, connection);
    }
}
/** Waits for the result as the service tells, and collects it. */
export async function collect(queued, { time, stream }, connection) {
    const identity = identityOf('result', queued);
    let url = queued.addresses.responseUrl;
    for (let polls = 1;; polls += 1) {
        const answer = await ask({ identity, url, repetition: 'collect', time, stream: stream === true }, connection);
        if (answer.status !== 202)
            return answer;
        const state = stateOf(identity, answer);
        if (state.kind === 'ended')
            throw endedFailure(identity, state);
        url = state.addresses.responseUrl;
        await waitForNext(identity, { state, polls, time }, connection);
    }
}
export async function cancelQueued(queued, time, connection) {
    const identity = identityOf('cancel', queued);
    const answer = await ask({ identity, url: queued.addresses.cancelUrl, repetition: 'cancel', time }, connection);
    const body = answer.body.kind === 'json' ? answer.body.value : undefined;
    const status = isRecord(body) ? body['status'] : undefined;
    if (typeof status !== 'string')
        throw protocolFailure(identity, answer, 'the body is no cancel response');
    return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
}
const cancelWords = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];
async function ask({ identity, url, repetition, time, stream }, connection) {
    checkOrigin(url, identity, connection);
    const method = repetition === 'cancel' ? 'PUT' : 'GET';
    // A conflict on cancel is an outcome, with a cancel response as its body (MR-CAN-05).
    const isSuccess = (status, body) => status === 200 ||
        status === 202 ||
        (repetition === 'cancel' && status === 409 && isRecord(body) && cancelWords.includes(body['status']));
    const timeoutMs = repetition === 'collect' ? connection.runTimeoutMs : readTimeoutMs;
    const outgoing = { method, url, headers: {} };
    return perform({ ...identity, repetition, outgoing, isSuccess, timeoutMs, time, stream: stream === true }, connection);
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
function stateOf(identity, answer) {
    const state = readQueueState(answer.body.kind === 'json' ? answer.body.value : undefined, answer.facts);
    if (state === undefined)
        throw protocolFailure(identity, answer, 'the body is no status response');
    return state;
}
export function identityOf(operation, { model, addresses, key, chargesOnPolicyRejection }) {
    return { operation, model, key, queued: addresses, chargesOnPolicyRejection };
}
