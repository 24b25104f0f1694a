/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { redactCause, redactValue } from '../http/credential.js';
import { isObject, quoteBody, toObject } from '../http/read-body.js';
import { readCategory } from './categories.js';
import { present } from './response-facts.js';
import { isRouterError, RouterError, } from './router-error.js';
const isBilled = (operation) => operation === 'run' || operation === 'submit';
/** Whether the work behind a call, that of a queued request included, may be billed whatever its answer. */
const concernsBilling = (call) => isBilled(call.operation) || call.queued !== undefined;
function every(call, attempts) {
    return {
        operation: call.operation,
        isRetryable: false,
        // A queued request goes on whatever becomes of a question about it.
        mayBeBilled: call.mayHaveRun === true || call.queued !== undefined,
        attempts,
        ...present({ model: call.model, key: call.key, queued: call.queued }),
    };
}
const nameCall = (call) => call.model === undefined ? call.operation : `${call.operation} ${call.model}`;
function nameAnswer(call, { status, facts }) {
    return `${nameCall(call)}: ${status}${facts.requestId === undefined ? '' : ` (request ${facts.requestId})`}`;
}
/** Refused by the client itself. */
export function localFailure(call, message, { cause, attempts = 0 } = {}) {
    return new RouterError(`${nameCall(call)}: ${message}`, { kind: 'local', ...every(call, attempts) }, cause);
}
/** The key store did not do what a call needs. */
export function storeFailure(call, message, cause) {
    return localFailure(call, `${message}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}
/** What Node says of a request that got no connection. Redirects are not followed, so nothing was sent. */
const unsent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;
/** The same of a connection that will not do the next time either: its certificate, or no TLS at all. */
const unfit = /^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|CERT_|HOSTNAME_|ERR_TLS_CERT|ERR_SSL_(WRONG_V|PACKET_L|UNSUPPORTED_P))/;
/** `fetch` itself refuses some ports, and has no code for it. */
const blocked = 'bad port';
function explainCause(cause) {
    const { cause: inner } = Object(cause);
    const { code, syscall, message } = Object(inner ?? cause);
    return { code: String(code ?? message ?? cause), syscall };
}
/** What a lost attempt says of the connection: whether nothing was sent, and whether it will be so again. */
export function readLoss(cause) {
    const { code, syscall } = explainCause(cause);
    const isFinal = unfit.test(code) || code === blocked;
    return { isFinal, isUnsent: isFinal || unsent.test(code) || syscall === 'connect' };
}
/** No response, or one that broke off: the work may have been accepted, unless no attempt got a connection. */
export function lostFailure(call, { attempts, redact, timeoutMs }, cause) {
    const known = every(call, attempts);
    const { isUnsent, isFinal } = readLoss(cause);
    const mayBeBilled = isUnsent ? known.mayBeBilled : concernsBilling(call);
    const advice = call.key === undefined || !mayBeBilled ? '' : ` The run may have started: repeat it with the key ${call.key} only.`;
    const isRetryable = !isFinal && (call.key !== undefined || !isBilled(call.operation));
    const facts = { ...known, isRetryable, mayBeBilled };
    const none = `${isUnsent ? 'no connection to the server' : 'no response'} (${explainCause(cause).code})`;
    const what = timeoutMs === undefined ? none : `no answer within ${timeoutMs} ms`;
    return new RouterError(redact(`${nameCall(call)}: ${what}.${advice}`), timeoutMs === undefined ? { kind: 'network', ...facts } : { kind: 'timeout', deadlineMs: timeoutMs, ...facts }, redactCause(cause, redact));
}
/** The signal was aborted, or the time for the whole call is over. */
export function stoppedFailure(call, { attempts, deadlineMs, reason = '' }, cause) {
    const known = every(call, attempts);
    // The error of an attempt that had ended stands behind a wait that would have been too long: nothing was under way then.
    const last = deadlineMs !== undefined && isRouterError(cause) ? cause : undefined;
    const mayBeBilled = known.mayBeBilled || (last === undefined && attempts > 0 && isBilled(call.operation));
    const facts = { ...known, isRetryable: true, mayBeBilled };
    const why = reason === '' ? '' : `; ${reason}`;
    const end = mayBeBilled ? ' Work that was accepted may go on and may still be billed.' : '';
    return deadlineMs === undefined
        ? new RouterError(`${nameCall(call)}: aborted.${end}`, { kind: 'aborted', ...facts }, cause)
        : new RouterError(`${nameCall(call)}: not ${attempts === 0 ? 'sent' : 'finished'} within ${deadlineMs} ms${why}.${end}`, { kind: 'timeout', deadlineMs, ...facts }, cause);
}
/** A response that is no success, or a success that cannot be read. */
export function answeredFailure(call, answered, { attempts, isRetryable, isSuccess, redact, }) {
    const { status, body, category, facts, location } = answered;
    const common = {
        ...every(call, attempts),
        isRetryable,
        mayBeBilled: mayBeBilled(call, answered, isSuccess),
        status,
        requestId: facts.requestId,
        category,
        retryAfterSeconds: facts.retryAfterSeconds,
        facts,
    };
    const where = nameAnswer(call, answered);
    const fail = (message, facts, cause) => new RouterError(redact(message), facts, cause);
    const to = location === undefined ? '' : `, redirected to ${location}, which is not followed`;
    const excerpt = quoteBody(body, redact);
    const cause = keepCause(body, redact);
    if (isSuccess)
        return fail(`${where}: ${explainBody(body, call)}`, { kind: 'decode', ...common, excerpt }, cause);
    const { detail } = toObject(body);
    if (status === 422 && Array.isArray(detail)) {
        const fields = redactValue(detail, redact).filter(isFieldFailure);
        return fail(`${where}: ${describeFields(fields)}`, { kind: 'validation', ...common, fields });
    }
    if (typeof detail !== 'string')
        return fail(`${where}${to}: ${excerpt}`, { kind: 'opaque', ...common, excerpt }, cause);
    const word = category.header ?? category.body ?? category.known;
    const message = `${where} ${word}: ${detail}${hintFor(call, answered)}`;
    return fail(message, { kind: 'router', ...common, detail: redact(detail) });
}
/** What is wrong with the body of a success. */
function explainBody(body, { mediaTypes, key }) {
    if (body.kind === 'oversized')
        return `the body is longer than maxResponseBytes (${body.maxBytes}); as: 'stream' collects it with the key ${key}`;
    if (body.kind === 'unexpected')
        return `the body is ${body.mediaType}, where ${mediaTypes?.join(' or ') ?? 'an output'} is due`;
    if (body.kind === 'malformed' && body.text === '')
        return `the body broke off (${explainCause(body.cause).code})`;
    return 'the body cannot be read';
}
/** A success whose body is readable and breaks a promise of the API. */
export function protocolFailure(call, { status, facts, attempts }, message) {
    return new RouterError(`${nameAnswer(call, { status, facts })}: ${message}`, {
        kind: 'decode',
        ...every(call, attempts),
        status,
        requestId: facts.requestId,
        category: { known: 'internal_error' },
        retryAfterSeconds: undefined,
        facts,
        mayBeBilled: concernsBilling(call),
        excerpt: '',
    });
}
/** A queued request that completed without a result. Whether it was billed is open, also after a cancellation. */
export function endedFailure(call, { category, facts }, cause) {
    const word = category.body ?? category.known;
    const answered = { status: 200, requestId: facts.requestId, category, retryAfterSeconds: undefined, facts };
    const mayBeBilled = category.known !== 'content_policy_violation' || call.chargesOnPolicyRejection !== 'no';
    const message = `${nameCall(call)}: the queued request ended with ${word}`;
    return new RouterError(message, { kind: 'router', ...every(call, 1), ...answered, mayBeBilled, detail: message }, cause);
}
/** Statuses by which the router itself refuses a call, unless the category names what came later. */
const refusals = [401, 402, 403, 404, 413, 429];
const later = /^(provider|client|cancelled|queue|deadline)/;
function mayBeBilled(call, { status, category, facts }, isSuccess) {
    if (call.mayHaveRun)
        return true;
    if (!isSuccess && category.known === 'content_policy_violation')
        return call.chargesOnPolicyRejection !== 'no';
    if (!isBilled(call.operation))
        return call.queued !== undefined;
    // Only an input that the router checks itself is refused before a provider sees it (MR-STC-11, C-07).
    const isChecked = status === 422 ? call.inputAuthored === true : status === 400 && category.known === 'invalid_input';
    const isRefused = (isChecked || refusals.includes(status)) && !later.test(category.known);
    return !isRefused || facts.upstreamStatus !== undefined;
}
function hintFor(call, { status, category }) {
    if (call.operation === 'submit' && status === 403 && category.known === 'not_enabled')
        return ' Either the router is not enabled for this caller, or this model cannot be queued.';
    if (status === 409 && category.known === 'invalid_input' && call.key !== undefined)
        return ' The key belongs to another request, or its result cannot be replayed; a new key starts a new run, which may be billed.';
    return '';
}
/** The words of a parser repeat what it stopped at, which may be a part of a secret. */
function keepCause(body, redact) {
    return body.kind === 'malformed' && redact(body.text) === body.text ? body.cause : undefined;
}
function isFieldFailure(value) {
    if (!isObject(value) || typeof value['msg'] !== 'string' || typeof value['type'] !== 'string')
        return false;
    const { loc } = value;
    return Array.isArray(loc) && loc.every((step) => typeof step === 'string' || typeof step === 'number');
}
function describeFields(fields) {
    const shown = fields.slice(0, 3).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    return ([...shown, ...(fields.length > 3 ? [`and ${fields.length - 3} more`] : [])].join('; ') || 'the input was refused');
}
export function categorise(headers, body, { brand, redact }) {
    return readCategory(headers.get(`x-${brand}-error-type`) ?? '', toObject(body)['error_type'], redact);
}
