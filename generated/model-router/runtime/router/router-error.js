/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { createErrorClass, hasBrand, settle } from '../http/client-error.js';
import { omitUndefined } from '../http/omit-undefined.js';
import { describeUnexpected, quoteBody, toObject } from '../http/read-body.js';
import { redactCause, redactJson } from '../http/redactor.js';
export const RouterError = /* @__PURE__ */ createErrorClass('RouterError');
/** True for an error of this client, or of another copy of its package. */
export function isRouterError(value) {
    return hasBrand(value, 'RouterError');
}
/** Returns `{ ok: true, …result }` or `{ ok: false, error }`. Rejects for errors that are not of this client. */
export const safe = (call) => settle(call, isRouterError);
/** Returns messages by path, such as `layers[0].kind`, from `fields` of an error or `detail` of a validator. */
export function fieldErrors(detail) {
    const messages = new Map();
    for (const { loc, msg } of detail) {
        let path = '';
        for (const step of loc) {
            if (typeof step === 'number')
                path += `[${step}]`;
            else if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(step))
                path += `[${JSON.stringify(step)}]`;
            else
                path += path === '' ? step : `.${step}`;
        }
        messages.set(path, [...(messages.get(path) ?? []), msg]);
    }
    // Safe for a member named `__proto__`.
    return Object.fromEntries(messages);
}
export const isBilled = ({ operation }) => operation === 'run' || operation === 'submit';
export function createError(identity, failure) {
    const { message, cause, attempts = 0, isRetryable = false, mayHaveRun = false, ...kind } = failure;
    // A queued request continues even if a call about it fails.
    const mayBeBilled = identity.mayHaveRun === true || identity.queued !== undefined || mayHaveRun;
    const isUnclear = isRetryable || mayHaveRun || kind.kind !== 'local';
    const text = writeMessage(identity, message, isUnclear, mayBeBilled);
    return new RouterError(text, { ...describeCall(identity), isRetryable, mayBeBilled, attempts, ...kind }, cause);
}
export const createLocalError = (identity, message, cause) => createError(identity, { kind: 'local', message, cause });
const describeCall = ({ operation, model, idempotencyKey, queued }) => ({
    operation,
    ...omitUndefined({ model, idempotencyKey, queued }),
});
function writeMessage({ operation, model, idempotencyKey: key }, message, isUnclear, mayBeBilled) {
    const text = `${operation}${model === undefined ? '' : ` ${model}`}: ${message}`;
    if (!isUnclear)
        return text;
    const again = key === undefined ? '' : `: only repeat it with the key ${key}`;
    const advice = mayBeBilled ? ` It may still run and be billed${again}.` : '';
    // The message may already contain the last attempt's message with the advice.
    return `${text.replace(advice, '').replace(/\.$/, '')}.${advice}`;
}
/**
 * True if the outcome of the earlier call with this key is final: the response replays its failure, or is a 409 invalid_input,
 * because the result is gone or the key belongs to a different request.
 */
export const hasKnownOutcome = ({ status, category, facts, }) => facts.replayed || (status === 409 && category.known === 'invalid_input');
/** Creates the error of an unsuccessful response, or of a success that is unreadable or violates the API. */
export function createErrorOfAnswer(identity, answered, options) {
    const { status, body, category, facts, response } = answered;
    const { redact, attempts, isRetryable = false, broken } = options;
    const { requestId, retryAfterMs } = facts;
    // The message of a JSON parser quotes the text, which may contain part of a secret.
    const { text: bodyText = '' } = body;
    const cause = options.cause ?? (redact(bodyText) === bodyText ? redactCause(body.cause, redact) : undefined);
    const shownBody = body.kind === 'json' ? { body: redactJson(body, redact) } : {};
    const { detail } = toObject({ kind: body.kind, value: shownBody.body });
    const excerpt = quoteBody(body, redact);
    const mayBeBilled = mayBeCharged(identity, answered, broken !== undefined);
    let text = response ? describeUnexpected(response, excerpt) : '';
    let kindFacts = { kind: 'opaque', excerpt };
    if (broken !== undefined) {
        text = `: ${broken}`;
        kindFacts = { kind: 'decode', excerpt };
    }
    else if (status === 422 && Array.isArray(detail)) {
        const fields = detail.filter(isFieldFailure);
        const texts = fields.slice(0, 3).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
        if (fields.length > 3)
            texts.push(`and ${fields.length - 3} more`);
        text = `: ${texts.join('; ') || 'the input was rejected'}`;
        kindFacts = { kind: 'validation', fields };
    }
    else if (typeof detail === 'string') {
        text = ` ${category.header ?? category.body ?? category.known}: ${detail}${writeHint(identity, answered)}`;
        kindFacts = { kind: 'router', detail };
    }
    const message = `${status}${requestId === undefined ? '' : ` (request ${requestId})`}${text}`;
    const every = { isRetryable, mayBeBilled, attempts, status, requestId, category, retryAfterMs, facts };
    const isRejection = kindFacts.kind === 'router' || kindFacts.kind === 'validation';
    const isUnclear = isRetryable || ((identity.mayHaveRun || !isRejection) && !hasKnownOutcome(answered));
    const error = new RouterError(redact(writeMessage(identity, message, isUnclear, mayBeBilled)), { ...describeCall(identity), ...every, ...shownBody, ...kindFacts }, // The members depend on `kind`.
    cause);
    // Not enumerable, so that logging the error doesn't show it.
    return broken === undefined ? error : Object.defineProperty(error, 'bytes', { value: body.bytes });
}
function mayBeCharged(identity, { status, category, facts }, isSuccess) {
    if (identity.mayHaveRun)
        return true;
    if (!isSuccess && category.known === 'content_policy_violation')
        return identity.chargesOnPolicyRejection !== 'no';
    if (!isBilled(identity))
        return identity.queued !== undefined;
    // Only an input that the router itself checks is rejected before a provider sees it (MR-STC-11, OP-207).
    const isChecked = status === 422
        ? identity.inputAuthored === true
        : status === 400 && /^(invalid_input|insufficient_credits)$/.test(category.known);
    // With these statuses, the router itself rejects a call, unless the category belongs to a later stage.
    const isRefused = (isChecked || [401, 402, 403, 404, 413, 429].includes(status)) &&
        !/^(provider|client|cancelled|queue|deadline)/.test(category.known);
    return !isRefused || facts.upstreamStatus !== undefined;
}
export const newRunWarning = 'a new key starts a new run, which may be billed';
function writeHint({ operation, idempotencyKey }, { status, category: { known }, facts: { retryAfterMs } }) {
    if (operation === 'submit' && status === 403 && known === 'not_enabled')
        return ' The router is not enabled for this caller, or this model cannot be queued.';
    if (status === 409 && known === 'invalid_input' && idempotencyKey !== undefined)
        return ` The key belongs to another request, or its result is gone; ${newRunWarning}.`;
    return retryAfterMs === undefined ? '' : ` Retry after ${retryAfterMs / 1000} s.`;
}
function isFieldFailure(value) {
    const { loc, msg, type } = Object(value);
    const isText = typeof msg === 'string' && typeof type === 'string';
    return isText && Array.isArray(loc) && loc.every((step) => typeof step === 'string' || typeof step === 'number');
}
