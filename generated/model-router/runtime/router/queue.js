/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isSegment, parseAddress } from '../http/base-url.js';
import { DeadlinePassed, readElapsed, waitMs } from '../http/clock.js';
import { explainEnd } from '../http/explain-failure.js';
import { toObject } from '../http/read-body.js';
import { ask } from './ask.js';
import { readCategory } from './categories.js';
import { fail, failEnded } from './failures.js';
import { buildAddresses } from './model-address.js';
/** Reads the status once. */
export async function readStatus(call, work) {
    return askAt('statusUrl', askForState(call), work);
}
/** Every state that was read, until the request is no longer pending. An answer that says nothing of it ends no waiting. */
export async function* readStates(call, work) {
    for await (const state of poll('statusUrl', askForState(call, 'poll'), work)) {
        yield state;
        if (state.kind !== 'pending')
            return;
    }
}
function askForState(call, repetition = 'read') {
    return { ...call, operation: 'status', repetition, successes: ready, parse: readState };
}
/** Waits for the result as the service tells, and collects it. Where the status said so, the request `ended` without one. */
export async function collect(call, ended, work) {
    const question = {
        ...call,
        operation: 'result',
        repetition: 'collect',
        successes: ready,
        parse: (answer) => (answer.status === 200 ? answer : readState(answer, work)),
        timeoutMs: work.runTimeoutMs,
        endsWith: ended?.category.known,
        stream: work.as === 'stream',
    };
    for await (const answer of poll('responseUrl', question, work)) {
        if ('response' in answer)
            return answer;
        if (answer.kind === 'ended')
            throw failEnded(question, answer);
    }
    throw question; // it asks without end
}
export async function cancelQueued(call, work) {
    const parse = ({ status: code, body }) => {
        const { status } = toObject(body);
        // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
        if (typeof status !== 'string' || (code === 409 && !/^(CANCELLATION_REQUESTED|ALREADY_COMPLETED)$/.test(status)))
            return 'cancel response';
        return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
    };
    const question = { ...call, operation: 'cancel', repetition: 'cancel', method: 'PUT', parse };
    return askAt('cancelUrl', { ...question, successes: [...ready, 409] }, work);
}
const ready = [200, 202];
/** Asks again and again, and waits in between as the service tells. */
async function* poll(name, question, work) {
    const { pollEvery = 0, clock, endsAt, signal } = work;
    let { queued } = question;
    for (let attempts = 1;; attempts += 1) {
        const answer = await askAt(name, { ...question, queued }, work);
        yield answer;
        const { retryAfterSeconds: told } = answer.facts;
        const usual = told === undefined && pollEvery > 0 ? 0 : waitMs(told, attempts, clock);
        const wait = Math.max(pollEvery, usual);
        try {
            if (readElapsed(clock) + wait >= endsAt)
                throw new DeadlinePassed(`; the next question is due in ${wait} ms`);
            await clock.sleep(wait, signal);
        }
        catch (error) {
            throw explainEnd(error, { ...question, attempts }, work);
        }
        if ('addresses' in answer)
            queued = answer.addresses;
    }
}
/**
 * Asks about a queued request. Addresses come from the service, and the credential goes to places that the caller
 * chose. Behind a gateway the service names an origin of its own: the router's path for the request is then asked for at `baseUrl`.
 */
async function askAt(name, call, work) {
    const { baseUrl, trustedOrigins, mapsAddresses } = work;
    const { model, queued } = call;
    const url = queued[name];
    const { href = '', origin = 'an unreadable address', pathname = '', search = '' } = parseAddress(url, baseUrl);
    if (trustedOrigins.has(origin))
        return ask({ ...call, url: href }, work);
    const own = buildAddresses(baseUrl, model, queued.requestId)[name];
    const path = decodeAscii(own.slice(baseUrl.length));
    if (mapsAddresses && decodeAscii(pathname).endsWith(path))
        return ask({ ...call, url: own + search }, work);
    throw fail(call, `the address is at ${origin}, which gets no credential. Does the gateway at baseUrl keep its paths?`);
}
/** Servers differ in which characters of a path they escape. */
function decodeAscii(path) {
    return path.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
}
/**
 * A submit or status body. Members that nobody knows are ignored. What is left out is known from the submission, or documented: what
 * was admitted is paid for. A state of another request, as caches mix them up, leads away from none.
 */
export function readState({ body, facts, call: { model = '', queued } }, { baseUrl, credential }) {
    const members = toObject(body);
    const { status, error_type, queue_position, request_id } = members;
    const { requestId = request_id } = queued ?? {};
    if (typeof status !== 'string' || typeof requestId !== 'string' || !isSegment(requestId))
        return 'state of a queued request';
    const documented = buildAddresses(baseUrl, model, requestId);
    const known = { ...documented, ...queued };
    for (const name of Object.keys(documented)) {
        const given = members[name.replace(/[A-Z]/, '_$&').toLowerCase()]; // `status_url`
        if (typeof given === 'string' && (request_id ?? requestId) === requestId)
            known[name] = given;
    }
    const text = JSON.stringify(known);
    // Addresses are stored and shown. The documented ones serve as well.
    const addresses = credential.redact(text) === text ? known : documented;
    const every = { status, addresses, facts };
    if (status !== 'COMPLETED')
        return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
    if (typeof error_type !== 'string')
        return { kind: 'succeeded', ...every };
    return { kind: 'ended', ...every, category: readCategory('', error_type, credential.redact) };
}
