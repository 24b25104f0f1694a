/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readMediaType, toObject } from '../http/read-body.js';
import { send, } from '../http/send.js';
import { readCategory } from './categories.js';
import { fail, failAnswered, isBilled } from './failures.js';
import { readResponseFacts } from './response-facts.js';
/** What the router says, by the table of retry outcomes. Rejects with a `RouterError`. */
export function ask(question, call) {
    const { identity, repetition } = question;
    const { operation, model, idempotencyKey, queued, mayHaveRun } = identity;
    const policy = {
        decide: (attempt, progress) => 'response' in attempt ? decideAnswer(question, attempt, progress, call) : decideLoss(question, attempt, progress),
        enter: isBilled(identity) ? (limitMs) => call.client.limits.enter(call, limitMs) : undefined,
    };
    const sent = {
        ...question,
        facts: { operation, model, idempotencyKey },
        isRepeatable: repetition !== 'unkeyed',
        isAdmitted: queued !== undefined || mayHaveRun === true,
    };
    return send(sent, policy, call);
}
function decideLoss({ identity, repetition, endsWith }, { kind, message, cause, deadlineMs, isUnsent, isFinal }, { attempts, mayHaveRun }) {
    const outcome = { status: 0, isUnsent, isFinal };
    const next = nextStep(repetition, outcome, endsWith);
    const isOpen = mayHaveRun || !isUnsent;
    const failure = { message, cause, attempts, isRetryable: next !== undefined, isOpen };
    const error = fail(identity, kind === 'timeout' ? { ...failure, kind, deadlineMs } : { ...failure, kind });
    return { type: kind, error, next, mayHaveRun: isBilled(identity) && mayRun(outcome) };
}
function decideAnswer(question, { response, body: given, end }, { attempts, mayHaveRun }, { client, redact }) {
    const { identity, repetition, successes = [200], parse, endsWith, url } = question;
    const { status, headers } = response;
    const facts = readResponseFacts(headers, client.brand, redact);
    const isForeign = isPage(question, response, given, facts);
    const body = isForeign ? leaveUnread(given, readMediaType(headers), end) : given;
    const category = readCategory(headers.get(`x-${client.brand}-error-type`) ?? '', toObject(body)['error_type'], redact);
    const { known } = category;
    const { retryAfterSeconds, requestId } = facts;
    client.limits.learn(status, known, facts);
    const answered = { status, body, facts, category, response };
    const isReadable = body.kind !== 'broken' && (body.kind !== 'empty' || status === 304);
    const isSuccess = successes.includes(status);
    const result = isSuccess && isReadable ? parse({ ...answered, identity, url, end, attempts }) : '';
    if (typeof result !== 'string')
        return { facts, result };
    const isBroken = isSuccess && status < 300;
    const broken = isReadable ? `the body is no ${result}` : explainBody(body, identity);
    // A success that broke off counts as no response: the same key fetches the result again.
    const isLost = isBroken && !isReadable;
    // A redirect that a browser hides has the status 0 too. A body of another form comes again, unless it is a state that is awaited.
    const isHidden = status === 0;
    const isFinal = isHidden || (isBroken && repetition !== 'poll' && status !== 202);
    const isRouters = requestId !== undefined || typeof toObject(body)['detail'] === 'string';
    const outcome = isLost
        ? { status: 0, isFinal: body.isFinal === true }
        : { status, known, retryAfterSeconds, isFinal, isUnsent: isHidden, isRouters };
    const next = nextStep(repetition, outcome, endsWith);
    const options = {
        redact,
        attempts,
        isRetryable: next !== undefined,
        mayHaveRun,
        broken: isBroken ? broken : undefined,
    };
    return {
        facts,
        type: isBroken ? undefined : known,
        error: failAnswered(identity, answered, options),
        next,
        mayHaveRun: isBilled(identity) && mayRun(outcome),
        // The service waits for an output itself then, and asking again collects it.
        isAdmitted: next?.isTold === true && outcome.status > 0 && outcome.status !== 429,
    };
}
function explainBody({ why = 'the body cannot be read', isFinal }, { idempotencyKey: key }) {
    return isFinal && key !== undefined ? `${why}; as: 'stream' collects it with the key ${key}` : why;
}
/**
 * Whether a success is the page of something in front of the router. Every other output is delivered as it is, whatever its type: it is
 * paid for.
 */
function isPage({ isOutput, outputMediaTypes: types }, { ok, headers }, { kind }, { requestId }) {
    if (!ok)
        return false;
    const mediaType = readMediaType(headers);
    const isText = mediaType === 'text/html' || mediaType === 'text/plain';
    if (isText)
        return requestId === undefined && !(isOutput && types?.some((one) => one.startsWith('text/')));
    // A model that gives only JSON gave none.
    const isJsonOnly = isOutput === true && types !== undefined && types.every((one) => one.endsWith('json'));
    return mediaType === '' && isJsonOnly && (kind === 'bytes' || kind === 'text');
}
function leaveUnread({ kind, text, bytes }, mediaType, end) {
    if (kind === 'stream')
        end();
    const why = `the body is ${mediaType || 'of no media type'}, and not an answer of the router`;
    return { kind: 'broken', why, text: text ?? '', ...(bytes && { bytes }) };
}
/** Of a queued request that ended, whatever status says so (MR-CTG-21, MR-CTG-23). */
const ended = ['cancelled', 'queue_timeout', 'content_policy_violation'];
/**
 * The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). `endsWith` is how the status said that a queued
 * request ended: an answer that repeats it is final.
 */
function nextStep(repetition, outcome, endsWith) {
    const { status, known = '', retryAfterSeconds: seconds, isFinal, isRouters = true } = outcome;
    if (repetition === 'unkeyed' || isFinal)
        return undefined;
    if (isToldToWait(repetition, outcome))
        return { isTold: true, seconds };
    const isPoll = repetition === 'poll';
    const isQuestion = isPoll || repetition === 'collect' || repetition === 'read';
    if (isQuestion && known !== '' && (known === endsWith || ended.includes(known)))
        return undefined;
    const isLagging = status === 404 && (isPoll || (repetition === 'collect' && endsWith === undefined)); // a replica
    if (isLagging)
        return { isTold: false, seconds };
    // A success that is not the one that is due says nothing, nor does a 400 of something in front of the router. An admitted request
    // goes on, whatever an answer about it fails to say.
    const isUnclear = status < 300 || status >= 500 || [408, 425, 429].includes(status) || (status === 400 && !isRouters);
    return isUnclear ? { isTold: isPoll, seconds } : undefined;
}
function isToldToWait(repetition, outcome) {
    const { status, known, retryAfterSeconds } = outcome;
    const isTold = retryAfterSeconds !== undefined;
    const isCeiling = known === 'concurrency_limit_exceeded';
    if (status === 429)
        return isTold || isCeiling || known === 'rate_limited';
    if (status === 409) {
        if (repetition === 'keyed')
            return isCeiling || isUnnamedWait(outcome);
        return (repetition === 'poll' || repetition === 'collect') && isUnnamedWait(outcome);
    }
    return isTold && status === 504 && known === 'deadline_exceeded';
}
/** A conflict that asks to wait and says nothing else, as where a gateway has replaced the body. */
const isUnnamedWait = ({ status, known, retryAfterSeconds }) => status === 409 && retryAfterSeconds !== undefined && known === 'internal_error';
/** Whether a billed call that ended so may have reached a provider, which nothing that comes later takes back (MR-IDM-20). */
function mayRun(outcome) {
    const { status, known, isUnsent, isRouters = true } = outcome;
    if (isUnsent)
        return false;
    if (status < 300 || status >= 500 || status === 408 || (status === 400 && !isRouters))
        return true;
    return status === 409 && (known === 'concurrency_limit_exceeded' || isUnnamedWait(outcome));
}
