/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { DeadlinePassed, readElapsed, waitMs } from '../http/clock.js';
import { explainEnd } from '../http/perform.js';
import { toObject } from '../http/read-body.js';
import { ask, failProtocol } from './ask.js';
import { readCategory } from './categories.js';
import { fail, failEnded } from './failures.js';
import { buildAddresses } from './model-address.js';
/** Reads the status once. */
export async function readStatus(call, work) {
    const question = { ...call, operation: 'status', repetition: 'read', isSuccess: isReady };
    return requireState(await askAt('statusUrl', question, work), work);
}
/** Every state that was read, until the request is no longer pending. An answer that says nothing of it ends no waiting. */
export async function* readStates(call, work) {
    const isSuccess = (status, body) => isReady(status) && isState(body, call);
    const question = { ...call, operation: 'status', repetition: 'poll', isSuccess };
    let { queued } = call;
    for (let polls = 1;; polls += 1) {
        const state = requireState(await askAt('statusUrl', { ...question, queued }, work), work);
        yield state;
        if (state.kind !== 'pending')
            return;
        queued = await waitForNext({ ...question, attempts: polls }, state, work);
    }
}
/** Waits for the result as the service tells, and collects it. Where the status said so, the request `ended` without one. */
export async function collect(call, ended, work) {
    const isSuccess = (status, body) => status === 200 || (status === 202 && isState(body, call));
    const question = {
        ...call,
        operation: 'result',
        repetition: 'collect',
        isSuccess,
        timeoutMs: work.runTimeoutMs,
        endsWith: ended?.category.known,
        stream: work.as === 'stream',
    };
    let { queued } = call;
    for (let polls = 1;; polls += 1) {
        const answer = await askAt('responseUrl', { ...question, queued }, work);
        if (answer.status !== 202)
            return answer;
        const state = requireState(answer, work);
        if (state.kind === 'ended')
            throw failEnded(answer.call, state);
        queued = await waitForNext({ ...question, attempts: polls }, state, work);
    }
}
const cancelStates = ['CANCELLATION_REQUESTED', 'ALREADY_COMPLETED'];
export async function cancelQueued(call, work) {
    // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
    const isSuccess = (code, body) => isReady(code) || (code === 409 && cancelStates.some((state) => state === toObject(body)['status']));
    const question = { ...call, operation: 'cancel', repetition: 'cancel', method: 'PUT', isSuccess };
    const answer = await askAt('cancelUrl', question, work);
    const { status } = toObject(answer.body);
    if (typeof status !== 'string')
        throw failProtocol(answer, 'cancel response', work);
    return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
}
const isReady = (status) => status === 200 || status === 202;
const isState = (body, { queued }) => readMembers(body, queued) !== undefined;
/**
 * Asks about a queued request. Addresses come from the service, and the credential goes to places that the caller
 * chose. Behind a gateway the service names an origin of its own: the router's path for the request is then asked for at `baseUrl`.
 */
async function askAt(name, call, work) {
    const { baseUrl, trustedOrigins, mapsAddresses } = work;
    const { model, queued } = call;
    const url = queued[name];
    const { origin = 'an unreadable address', pathname = '', search = '' } = URL.canParse(url) ? new URL(url) : {};
    if (trustedOrigins.has(origin))
        return ask({ ...call, url }, work);
    const own = buildAddresses(baseUrl, model, queued.requestId)[name];
    const path = decodeAscii(own.slice(baseUrl.length));
    if (mapsAddresses && decodeAscii(pathname).endsWith(path))
        return ask({ ...call, url: own + search }, work);
    const advice = 'Is baseUrl the router that took the request? A gateway in front of it has to keep its paths';
    throw fail(call, `the address is at ${origin}, which gets no credential. ${advice}`);
}
/** Servers differ in which characters of a path they escape. */
function decodeAscii(path) {
    return path.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
}
/** The addresses to ask at the next time. */
async function waitForNext(call, { facts, addresses }, work) {
    const { pollEvery = 0, clock, endsAt, signal } = work;
    const { retryAfterSeconds: told } = facts;
    const usual = told === undefined && pollEvery > 0 ? 0 : waitMs(told, call.attempts, clock);
    const wait = Math.max(pollEvery, usual);
    try {
        if (readElapsed(clock) + wait >= endsAt)
            throw new DeadlinePassed();
        await clock.sleep(wait, signal);
    }
    catch (error) {
        throw explainEnd(error, call, work);
    }
    return addresses;
}
function requireState(answer, work) {
    const state = readState(answer, work);
    if (state === undefined)
        throw failProtocol(answer, 'status response', work);
    return state;
}
/** A submit or status body; undefined when it is not one. Members that nobody knows are ignored. */
export function readState({ body, facts, call: { model = '', queued } }, { baseUrl, credential }) {
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
/** An address that a status leaves out is the one that is known from the submission. */
function readMembers(body, known = {}) {
    const { status, ...members } = toObject(body);
    const read = (name, before) => typeof members[name] === 'string' ? members[name] : before;
    const addresses = {
        requestId: read('request_id', known.requestId),
        statusUrl: read('status_url', known.statusUrl),
        responseUrl: read('response_url', known.responseUrl),
        cancelUrl: read('cancel_url', known.cancelUrl),
    };
    if (typeof status !== 'string' || Object.values(addresses).includes(undefined))
        return undefined;
    return { status, addresses: addresses }; // each of them is a text
}
