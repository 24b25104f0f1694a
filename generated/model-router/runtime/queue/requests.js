/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { isSegment, parseAddress } from '../http/base-url.js';
import { DeadlinePassed, readElapsed, waitMs } from '../http/clock.js';
import { notify } from '../http/observers.js';
import { toObject } from '../http/read-body.js';
import { explainEnd, send } from '../http/send.js';
import { identify, readInput, sendBilled } from '../router/billed.js';
import { modelUrl } from '../router/model-address.js';
import { createPolicy } from '../router/policy.js';
import { readCategory, } from '../router/response-facts.js';
import { changeStore, endRecord, toResult } from '../router/results.js';
import { failAnswered, isRouterError, refuse, } from '../router/router-error.js';
/** Puts a run into the queue. */
export async function enqueue(model, input, options, call) {
    const identity = identify('submit', model);
    const url = `${modelUrl(call.client.baseUrl, identity)}/requests`;
    return await admit({ identity, model, url, body: readInput(input, identity, options) }, options, call);
}
export async function admit(request, options, call, stored) {
    const { model } = request;
    const parse = (answer) => {
        const state = readState(answer, call);
        if (typeof state === 'string')
            return state;
        const { idempotencyKey } = answer.identity;
        return { queued: { model, idempotencyKey, queued: state.addresses }, state, replayed: answer.facts.replayed };
    };
    const admitted = await sendBilled({ ...request, parse }, options, call, stored);
    const { idempotencyKey: key, queued } = admitted.queued;
    if (key !== undefined) {
        rememberKey(call.client, queued.requestId, key);
        await changeStore(() => call.client.keys.admit(key, queued));
    }
    return admitted;
}
/** Lets a handle that is made from the id of a request end its stored call. Forgets the oldest of 10,000 requests. */
function rememberKey({ keysOfRequests: keys }, requestId, key) {
    keys.set(requestId, key);
    const [oldest] = keys.keys();
    if (keys.size > 10_000 && oldest !== undefined)
        keys.delete(oldest);
}
const ready = [200, 202];
export async function readStatus(queued, call) {
    return await send(call, addressPolicy('statusUrl', queued, statusQuestion(queued, 'read', call), call));
}
function statusQuestion(queued, repetition, call) {
    const identity = identifyQueued('status', queued);
    return { identity, repetition, successes: ready, parse: (answer) => readState(answer, call) };
}
export async function* readStates(queued, options, call) {
    for await (const state of poll('statusUrl', queued, statusQuestion(queued, 'poll', call), options, call)) {
        yield state;
        if (state.kind !== 'pending')
            return;
    }
}
export async function cancelRequest(queued, call) {
    const parse = ({ status: code, body }) => {
        const { status } = toObject(body);
        // A 409 has the same members as a 202 (MR-CAN-05).
        const isKnown = status === 'CANCELLATION_REQUESTED' || status === 'ALREADY_COMPLETED';
        if (typeof status !== 'string' || (code === 409 && !isKnown))
            return 'cancel response';
        return { outcome: status === 'ALREADY_COMPLETED' ? 'already-completed' : 'requested', status };
    };
    const question = { identity: identifyQueued('cancel', queued), repetition: 'cancel', method: 'PUT', parse };
    return await send(call, addressPolicy('cancelUrl', queued, { ...question, successes: [...ready, 409] }, call));
}
/**
 * Returns the output of a request. If its `first` state is given, polls the status until the request ends, and calls
 * `onStatus`. If there is no output, the call stays in the store so that it can be resumed, unless the request has ended.
 */
export async function collectResult(given, options, call, first) {
    let last = first;
    let ended;
    try {
        if (first !== undefined) {
            void notify(options.onStatus, first);
            for await (const state of readStates(given, options, call)) {
                last = state;
                void notify(options.onStatus, state);
            }
        }
        if (last?.kind === 'ended')
            ended = last;
        const queued = { ...given, queued: last?.addresses ?? given.queued };
        const identity = identifyQueued('result', queued);
        const question = {
            identity,
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
                return await toResult(answer, options.settle, call);
            if (answer.kind === 'ended')
                throw failEnded(identity, answer);
        }
        throw refuse(identity, 'polling ended without a result'); // `poll` never ends without a result.
    }
    catch (thrown) {
        if (!isRouterError(thrown))
            throw thrown;
        const isFinal = (error) => (error.kind === 'router' || error.kind === 'validation') && !error.isRetryable;
        // The response explains the failure better than the status does.
        const error = ended === undefined || thrown.kind === 'aborted' || isFinal(thrown)
            ? thrown
            : failEnded(identifyQueued('result', { ...given, queued: ended.addresses }), ended, thrown);
        const hasEnded = isFinal(error) && error.status !== 401 && error.status !== 403;
        await endRecord(given.idempotencyKey, hasEnded ? 'finish' : 'release', call);
        throw error;
    }
}
const identifyQueued = (operation, { model, queued, idempotencyKey }) => ({
    operation,
    model: model.id,
    chargesOnPolicyRejection: model.chargesOnPolicyRejection,
    queued,
    idempotencyKey,
});
async function* poll(name, given, question, { pollEveryMs = 0 }, call) {
    const { clock } = call.client;
    let at = given;
    for (let attempts = 1;; attempts += 1) {
        const answer = await send(call, addressPolicy(name, at, question, call));
        yield answer;
        const { retryAfterMs } = answer.facts;
        const retryWait = retryAfterMs === undefined && pollEveryMs > 0 ? 0 : waitMs(retryAfterMs, attempts, clock);
        const wait = Math.max(pollEveryMs, retryWait);
        try {
            if (readElapsed(clock) + wait >= call.endsAt)
                throw new DeadlinePassed(`; the next poll is due in ${wait} ms`);
            await clock.sleep(wait, call.signal);
        }
        catch (error) {
            throw explainEnd(error, question.identity, { attempts, isOpen: true }, call);
        }
        if ('addresses' in answer)
            at = { ...given, queued: answer.addresses };
    }
}
/**
 * Chooses the URL of a call about a queued request. The credential is only sent to trusted origins. Behind a gateway, the
 * URLs in responses may have the service's own origin or lack the gateway's prefix. Then the documented URL is used.
 */
function addressPolicy(name, { model, queued }, question, call) {
    const { baseUrl, trustedOrigins, mapsAddresses } = call.client;
    const givenUrl = parseAddress(queued[name], baseUrl);
    const { href = '', origin = 'an unreadable address', pathname = '', search = '', username } = givenUrl;
    const identity = { ...question.identity, queued };
    const documentedUrl = buildAddresses(baseUrl, model.id, queued.requestId)[name];
    const ownUrl = parseAddress(documentedUrl);
    // Servers differ in which characters of a path they escape.
    const decode = (path = '') => path.replace(/%[2-7][\da-f]/gi, decodeURIComponent);
    const isDocumented = decode(pathname).endsWith(decode(documentedUrl.slice(baseUrl.length)));
    const isTrusted = trustedOrigins.has(origin);
    const hasLostPrefix = isDocumented && origin === ownUrl.origin && decode(pathname) !== decode(ownUrl.pathname);
    let url;
    if (isTrusted && username)
        url = documentedUrl;
    else if (isTrusted && !(mapsAddresses && hasLostPrefix))
        url = href;
    else if (mapsAddresses && isDocumented)
        url = documentedUrl + search;
    else {
        const message = `the address is at ${origin}, which is not trusted with the credential. Does the gateway at baseUrl change paths?`;
        throw refuse(identity, message);
    }
    return createPolicy({ ...question, identity, url }, call);
}
/**
 * Reads the body of a submission or a status response. If an address is missing, uses the one from the submission, or
 * else the documented one. Ignores addresses of a different request, which a faulty cache may return.
 */
function readState({ body, facts, identity }, { client, redact }) {
    const { model = '', queued } = identity;
    const members = toObject(body);
    const { status, error_type, queue_position, request_id } = members;
    const { requestId = request_id } = queued ?? {};
    if (typeof status !== 'string' || typeof requestId !== 'string' || !isSegment(requestId))
        return 'state of a queued request';
    // Reject the id, because it would be stored and shown. The request can still be found by its key.
    if (redact(requestId) !== requestId)
        return 'state of a queued request: its request_id repeats the credential';
    const documented = buildAddresses(client.baseUrl, model, requestId);
    const knownAddresses = { ...documented, ...queued };
    for (const name of ['status', 'response', 'cancel']) {
        const givenAddress = members[`${name}_url`];
        if (typeof givenAddress === 'string' && (request_id ?? requestId) === requestId)
            knownAddresses[`${name}Url`] = givenAddress;
    }
    const text = JSON.stringify(knownAddresses);
    // Addresses are stored and shown, so replace one that contains the credential.
    const addresses = redact(text) === text ? knownAddresses : documented;
    const every = { status, addresses, facts };
    if (status !== 'COMPLETED')
        return { kind: 'pending', ...every, ...(typeof queue_position === 'number' ? { position: queue_position } : {}) };
    if (typeof error_type !== 'string')
        return { kind: 'succeeded', ...every };
    return { kind: 'ended', ...every, category: readCategory('', error_type, redact) };
}
export function buildAddresses(baseUrl, model, requestId) {
    const identity = { operation: 'status', model };
    if (!isSegment(requestId))
        throw refuse(identity, 'the request id is empty, or cannot be used in a path');
    const base = `${modelUrl(baseUrl, identity)}/requests/${encodeURIComponent(requestId)}`;
    return { requestId, statusUrl: `${base}/status`, responseUrl: base, cancelUrl: `${base}/cancel` };
}
function failEnded(identity, { category, facts }, cause) {
    const body = { kind: 'json', value: { detail: 'the queued request ended without a result' } };
    return failAnswered(identity, { status: 200, body, facts, category }, { redact: String, attempts: 1, cause });
}
