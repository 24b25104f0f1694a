/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readElapsed, waitMs } from '../http/clock.js';
import { toObject } from '../http/read-body.js';
import { perform } from './call.js';
import { readCategory } from './categories.js';
import { endedFailure, localFailure, protocolFailure, stoppedFailure } from './failures.js';
import { buildAddresses } from './model-address.js';
/** Reads the status once. */
export async function readStatus(queued, time, connection) {
    const identity = identify('status', queued);
    const url = locate('statusUrl', identity, connection);
    const answer = await perform({ ...identity, url, repetition: 'read', isSuccess: isReady, time }, connection);
    return requireState(identity, answer, connection);
}
/** Every state that was read, until the request is no longer pending. An answer that says nothing of it ends no waiting. */
export async function* readStates(queued, time, connection) {
    let { addresses } = queued;
    for (let polls = 1;; polls += 1) {
        const identity = identify('status', { ...queued, addresses });
        const url = locate('statusUrl', identity, connection);
        const isSuccess = (status, body) => isReady(status) && isState(body, identity);
        const answer = await perform({ ...identity, url, repetition: 'poll', isSuccess, time }, connection);
        const state = requireState(identity, answer, connection);
        yield state;
        if (state.kind !== 'pending')
            return;
        ({ addresses } = state);
        await waitForNext(identity, { state, polls, time }, connection);
    }
}
/** Waits for the result as the service tells, and collects it. Where the status said so, the request `ended` without one. */
export async function collect(queued, { time, stream = false, ended }, connection) {
    const question = {
        repetition: 'collect',
        timeoutMs: connection.runTimeoutMs,
        endsWith: ended?.category.known,
        time,
        stream,
    };
    let { addresses } = queued;
    for (let polls = 1;; polls += 1) {
        const identity = identify('result', { ...queued, addresses });
        const url = locate('responseUrl', identity, connection);
        const isSuccess = (status, body) => status === 200 || (status === 202 && isState(body, identity));
        const answer = await perform({ ...identity, ...question, url, isSuccess }, connection);
        if (answer.status !== 202)
            return answer;
        const state = requireState(identity, answer, connection);
        if (state.kind === 'ended')
            throw endedFailure(identity, state);
        ({ addresses } = state);
        await waitForNext(identity, { state, polls, time }, connection);
    }
}
export async function cancelQueued(queued, time, connection) {
    const identity = identify('cancel', queued);
    const url = locate('cancelUrl', identity, connection);
    // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
    const isSuccess = (code, body) => isReady(code) || (code === 409 && cancelWords.includes(toObject(body)['status']));
    const call = { ...identity, method: 'PUT', url, repetition: 'cancel', isSuccess, time };
    const answer = await perform(call, connection);
    const { status } = toObject(answer.body);
    if (typeof status !== 'string')
        throw protocolFailure(identity, answer, 'the body is no cancel response');
    return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
}
const cancelWords = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];
const isReady = (status) => status === 200 || status === 202;
const isState = (body, { queued }) => readMembers(body, queued) !== undefined;
/**
 * Where to send a question about a queued request. Addresses come from the service, and the credential goes to places that the caller
 * chose. Behind a gateway the service names an origin of its own: the router's path for the request is then asked for at `baseUrl`.
 */
function locate(name, identity, { baseUrl, trustedOrigins, mapsAddresses }) {
    const { model = '', queued } = identity;
    const url = queued[name];
    const { origin = 'an unreadable address', pathname = '', search = '' } = URL.canParse(url) ? new URL(url) : {};
    if (trustedOrigins.has(origin))
        return url;
    const own = buildAddresses(baseUrl, model, queued.requestId)[name];
    const path = decodeAscii(own.slice(baseUrl.length));
    if (mapsAddresses && decodeAscii(pathname).endsWith(path))
        return own + search;
    const advice = 'Is baseUrl the router that took the request? A gateway in front of it has to keep its paths';
    throw localFailure(identity, `the address is at ${origin}, which gets no credential. ${advice}`);
}
/** Servers differ in which characters of a path they escape. */
function decodeAscii(path) {
    return path.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
}
async function waitForNext(identity, { state, polls, time }, { clock }) {
    const { pollEvery = 0 } = time;
    const { retryAfterSeconds: told } = state.facts;
    const wait = told === undefined && pollEvery > 0 ? pollEvery : Math.max(pollEvery, waitMs(told, polls, clock));
    if (readElapsed(clock) + wait >= time.endsAt)
        throw stoppedFailure(identity, { attempts: polls, deadlineMs: time.deadlineMs });
    try {
        await clock.sleep(wait, time.signal);
    }
    catch (cause) {
        throw stoppedFailure(identity, { attempts: polls }, cause);
    }
}
function requireState(identity, answer, connection) {
    const state = readState(identity, answer, connection);
    if (state === undefined)
        throw protocolFailure(identity, answer, 'the body is no status response');
    return state;
}
export function identify(operation, { model, addresses, key, chargesOnPolicyRejection }) {
    return { operation, model, key, queued: addresses, chargesOnPolicyRejection };
}
/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export function readState({ model = '', queued }, { body, facts }, { baseUrl, credential }) {
    const members = readMembers(body, queued);
    if (members === undefined)
        return undefined;
    const { error_type, queue_position } = toObject(body);
    const text = JSON.stringify(members.addresses);
    // Addresses are stored and shown. The documented ones serve as well.
    const isShowable = credential.redact(text) === text;
    const addresses = isShowable ? members.addresses : buildAddresses(baseUrl, model, members.addresses.requestId);
    const every = { ...members, addresses, facts };
    if (members.status !== 'COMPLETED') {
        return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
    }
    if (typeof error_type !== 'string')
        return { kind: 'succeeded', ...every };
    return { kind: 'ended', ...every, category: readCategory('', error_type, credential.redact) };
}
const addressNames = {
    requestId: 'request_id',
    statusUrl: 'status_url',
    responseUrl: 'response_url',
    cancelUrl: 'cancel_url',
};
/** An address that a status leaves out is the one that is known from the submission. */
function readMembers(body, known = {}) {
    const { status, ...members } = toObject(body);
    const names = Object.keys(addressNames); // as it is written above
    const found = names.map((name) => {
        const text = members[addressNames[name]];
        return [name, typeof text === 'string' ? text : known[name]];
    });
    if (typeof status !== 'string' || found.some(([, text]) => text === undefined))
        return undefined;
    return { status, addresses: Object.fromEntries(found) }; // each of them is a text
}
