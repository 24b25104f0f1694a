/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isSegment, parseAddress } from '../http/base-url.js';
import { queueMs, readMs, startCall, watchCall } from '../http/call.js';
import { DeadlinePassed, readElapsed, waitMs } from '../http/clock.js';
import { notify } from '../http/observers.js';
import { present } from '../http/present.js';
import { toObject } from '../http/read-body.js';
import { explainEnd } from '../http/send.js';
import { settled } from '../http/settled.js';
import { readCategory } from './categories.js';
import { failEnded, refuse } from './failures.js';
import { buildAddresses } from './model-address.js';
import { ask } from './policy.js';
import { kept, leaveLate, toResult } from './results.js';
import { isRouterError } from './router-error.js';
/** What the answer to a submission says of the request. */
export function readAdmitted(answer, model, call) {
    const state = readState(answer, call);
    if (typeof state === 'string')
        return state;
    const { idempotencyKey } = answer.identity;
    return { queued: { model, idempotencyKey, queued: state.addresses }, state, replayed: answer.facts.replayed };
}
/** Keeps where an admitted request is. */
export async function admit(admitted, call) {
    const { idempotencyKey: key, queued } = admitted.queued;
    if (key !== undefined)
        await kept(() => call.client.keys.admit(key, queued), call);
    return admitted;
}
const readStatus = (queued, call) => askAt('statusUrl', queued, statusQuestion(queued, 'read', call), call);
/** Every state that was read, until the request is no longer pending. An answer that says nothing of it ends no waiting. */
async function* readStates(queued, options, call) {
    for await (const state of poll('statusUrl', queued, statusQuestion(queued, 'poll', call), options, call)) {
        yield state;
        if (state.kind !== 'pending')
            return;
    }
}
const ready = [200, 202];
function statusQuestion(queued, repetition, call) {
    const parse = (answer) => readState(answer, call);
    return { identity: identify('status', queued), repetition, successes: ready, parse };
}
/** Waits for the result as the service tells, and collects it. Where the status said so, the request `ended` without one. */
async function collect(queued, ended, options, call) {
    const question = {
        identity: identify('result', queued),
        repetition: 'collect',
        successes: ready,
        parse: (answer) => (answer.status === 200 ? answer : readState(answer, call)),
        timeoutMs: call.client.runTimeoutMs,
        endsWith: ended?.category.known,
        isOutput: true,
        outputMediaTypes: queued.model.outputMediaTypes,
        isStream: options.as === 'stream',
    };
    for await (const answer of poll('responseUrl', queued, question, options, call)) {
        if ('response' in answer)
            return answer;
        if (answer.kind === 'ended')
            throw failEnded(question.identity, answer);
    }
    throw refuse(question.identity, 'the request was asked for without end');
}
async function cancelQueued(queued, call) {
    const parse = ({ status: code, body }) => {
        const { status } = toObject(body);
        // A conflict is an outcome too, with a cancel response as its body (MR-CAN-05).
        if (typeof status !== 'string' ||
            (code === 409 && status !== 'CANCELLATION_REQUESTED' && status !== 'ALREADY_COMPLETED'))
            return 'cancel response';
        return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
    };
    const question = { identity: identify('cancel', queued), repetition: 'cancel', method: 'PUT', parse };
    return await askAt('cancelUrl', queued, { ...question, successes: [...ready, 409] }, call);
}
/** Collects the output, which ends the call in the key store, or says why there is none: an answer does so better than a status. */
async function collectResult(queued, ended, options, call) {
    try {
        return await toResult(await collect(queued, ended, options, call), options.settle === 'manual', call);
    }
    catch (error) {
        if (ended === undefined || !isRouterError(error))
            throw error;
        const { kind, isRetryable } = error;
        const isFinal = kind === 'aborted' || (!isRetryable && (kind === 'router' || kind === 'validation'));
        throw isFinal ? error : failEnded(identify('result', queued), ended, error);
    }
}
/**
 * The output of a request; from the `first` state on, `onStatus` sees its states before. Without a result, a request that ended is over in
 * the store; any other one stays there, to be resumed.
 */
export async function collectOrLeave(given, options, call, first) {
    try {
        let last = first;
        if (first !== undefined) {
            void notify(options.onStatus, first);
            for await (const state of readStates(given, options, call)) {
                last = state;
                void notify(options.onStatus, state);
            }
        }
        const queued = { ...given, queued: last?.addresses ?? given.queued };
        return await collectResult(queued, last?.kind === 'ended' ? last : undefined, options, call);
    }
    catch (error) {
        if (!isRouterError(error))
            throw error;
        const { kind } = error;
        const isOver = kind === 'aborted' || (kind === 'timeout' && error.deadlineMs === call.deadlineMs);
        if (options.cancelOnAbort === true && isOver) {
            const late = { ...call, signal: undefined, endsAt: readElapsed(call.client.clock) + 10_000 };
            await cancelQueued(given, late).catch(() => undefined); // the first error is the one to report
        }
        const isAnswer = kind === 'router' || kind === 'validation';
        const hasEnded = isAnswer && !error.isRetryable && error.status !== 401 && error.status !== 403;
        await leaveLate(given, hasEnded ? 'done' : kind === 'aborted' ? 'aborted' : 'open', call);
        throw error;
    }
}
/** A queued request, by its addresses. */
export function createHandle(client, queued, replayed) {
    const start = (operation, options, usualMs, own = []) => startCall(client, { operation, model: queued.model.id }, options, { usualMs, options: own });
    const states = (options = {}) => readStates(queued, options, start('status', options, queueMs, ['pollEveryMs']));
    const methods = {
        status(options) {
            return watchCall(() => start('status', options, readMs), (call) => readStatus(queued, call));
        },
        result(options = {}) {
            return watchCall(() => start('result', options, queueMs, ['pollEveryMs', 'as', 'settle']), (call) => collectOrLeave(queued, options, call));
        },
        cancel(options) {
            return watchCall(() => start('cancel', options, readMs), (call) => cancelQueued(queued, call));
        },
    };
    const { requestId } = queued.queued;
    return {
        requestId,
        addresses: queued.queued,
        ...present({ idempotencyKey: queued.idempotencyKey }),
        replayed,
        ...methods,
        states,
        [Symbol.asyncIterator]: () => states(),
        safe: settled(methods, isRouterError),
    };
}
const identify = (operation, { model, queued, idempotencyKey }) => ({
    ...{ operation, model: model.id, chargesOnPolicyRejection: model.chargesOnPolicyRejection },
    ...{ queued, idempotencyKey },
});
/** Asks again and again, and waits in between as the service tells. */
async function* poll(name, given, question, { pollEveryMs = 0 }, call) {
    const { client, endsAt, signal } = call;
    const { clock } = client;
    let at = given;
    for (let attempts = 1;; attempts += 1) {
        const answer = await askAt(name, at, question, call);
        yield answer;
        const { retryAfterSeconds: told } = answer.facts;
        const usual = told === undefined && pollEveryMs > 0 ? 0 : waitMs(told, attempts, clock);
        const wait = Math.max(pollEveryMs, usual);
        try {
            if (readElapsed(clock) + wait >= endsAt)
                throw new DeadlinePassed(`; the next question is due in ${wait} ms`);
            await clock.sleep(wait, signal);
        }
        catch (error) {
            throw explainEnd(error, question.identity, { attempts, isOpen: true }, call);
        }
        if ('addresses' in answer)
            at = { ...given, queued: answer.addresses };
    }
}
/**
 * Asks about a queued request. Addresses come from the service, and the credential goes to places that the caller chose. Behind a gateway
 * the service names an origin of its own, or leaves the gateway's part of the path out: the documented address is then asked for.
 */
async function askAt(name, { model, queued }, question, call) {
    const { baseUrl, trustedOrigins, mapsAddresses } = call.client;
    const { href = '', origin = 'an unreadable address', pathname = '', search = '', username, } = parseAddress(queued[name], baseUrl);
    const identity = { ...question.identity, queued };
    const own = buildAddresses(baseUrl, model.id, queued.requestId)[name];
    const { pathname: ownPath = '', origin: ownOrigin } = parseAddress(own);
    const path = decodeAscii(own.slice(baseUrl.length));
    const isDocumented = decodeAscii(pathname).endsWith(path);
    const hasLostPrefix = origin === ownOrigin && isDocumented && decodeAscii(pathname) !== decodeAscii(ownPath);
    if (trustedOrigins.has(origin) && username)
        return await ask({ ...question, identity, url: own }, call);
    if (trustedOrigins.has(origin) && !(mapsAddresses && hasLostPrefix))
        return await ask({ ...question, identity, url: href }, call);
    if (mapsAddresses && isDocumented)
        return await ask({ ...question, identity, url: own + search }, call);
    throw refuse(identity, `the address is at ${origin}, which gets no credential. Does the gateway at baseUrl keep its paths?`);
}
/** Servers differ in which characters of a path they escape. */
function decodeAscii(path) {
    return path.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
}
const addressNames = [
    ['statusUrl', 'status_url'],
    ['responseUrl', 'response_url'],
    ['cancelUrl', 'cancel_url'],
];
/**
 * A submit or status body. Unknown members are ignored. What is left out is known from the submission, or documented: what was admitted is
 * paid for. A state of another request, as caches mix them up, leads away from none.
 */
function readState({ body, facts, identity }, { client, redact }) {
    const { model = '', queued } = identity;
    const members = toObject(body);
    const { status, error_type, queue_position, request_id } = members;
    const { requestId = request_id } = queued ?? {};
    if (typeof status !== 'string' || typeof requestId !== 'string' || !isSegment(requestId))
        return 'state of a queued request';
    // It would be kept and shown. The call stays open, and its key leads to the request again.
    if (redact(requestId) !== requestId)
        return 'state of a queued request: its request_id repeats the credential';
    const documented = buildAddresses(client.baseUrl, model, requestId);
    const known = { ...documented, ...queued };
    for (const [name, member] of addressNames) {
        const given = members[member];
        if (typeof given === 'string' && (request_id ?? requestId) === requestId)
            known[name] = given;
    }
    const text = JSON.stringify(known);
    // Addresses are stored and shown. The documented ones serve as well.
    const addresses = redact(text) === text ? known : documented;
    const every = { status, addresses, facts };
    if (status !== 'COMPLETED')
        return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
    if (typeof error_type !== 'string')
        return { kind: 'succeeded', ...every };
    return { kind: 'ended', ...every, category: readCategory('', error_type, redact) };
}
