/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { present } from '../http/present.js';
import { quoteBody, toObject } from '../http/read-body.js';
import { redactValue } from '../http/redact-value.js';
import { RouterError, } from './router-error.js';
export const isBilled = ({ operation }) => operation === 'run' || operation === 'submit';
/** The error of a call; one that the client itself refused where no kind is given. */
export function fail(call, message, { cause, isOpen, redact = String, ...more } = {}) {
    const { operation, model, key, queued, mayHaveRun, attempts = 0 } = call;
    // A queued request goes on whatever becomes of a question about it.
    const mayBeBilled = mayHaveRun === true || queued !== undefined || (isOpen === true && isBilled(call));
    const identity = { operation, ...present({ model, key, queued }) };
    const facts = { kind: 'local', ...identity, isRetryable: false, mayBeBilled, attempts, ...more };
    const again = key === undefined ? '' : `: repeat it with the key ${key} only`;
    const advice = facts.mayBeBilled ? ` It may go on, and may still be billed${again}.` : '';
    const text = `${operation}${model === undefined ? '' : ` ${model}`}: ${message}`;
    const isUnclear = facts.isRetryable || isOpen !== undefined;
    // The message of the last attempt, which may be a part of this one, has the advice already.
    const whole = isUnclear ? `${text.replace(advice, '').replace(/\.$/, '')}.${advice}` : text;
    return new RouterError(redact(whole), facts, cause); // each caller gives what its kind has
}
/** What the key store does for a call. */
export function fromStore(work, call) {
    return work.catch((cause) => {
        throw fail(call, `the key store failed: ${cause instanceof Error ? cause.message : cause}`, { cause });
    });
}
/** A response that is no success, or a success that cannot be read or breaks a promise of the API: `broken` says which. */
export function failAnswered(call, answered, { redact = String, broken, ...more }) {
    const { status, body, category, facts, response } = answered;
    const { requestId, retryAfterSeconds } = facts;
    const { detail } = toObject(body);
    const excerpt = quoteBody(body, redact);
    // The words of a parser repeat what it stopped at, which may be a part of a secret.
    const { text: written = '', cause: parsed } = body;
    const mayBeBilled = mayCost(call, answered, broken !== undefined);
    const cause = redact(written) === written ? parsed : undefined;
    const known = { cause, ...more, redact, mayBeBilled, status, requestId, category, retryAfterSeconds, facts };
    const refuse = (text, kind) => fail(call, `${status}${requestId === undefined ? '' : ` (request ${requestId})`}${text}`, { ...known, ...kind });
    if (broken !== undefined)
        return refuse(`: ${broken}`, { kind: 'decode', excerpt });
    if (status === 422 && Array.isArray(detail)) {
        const fields = redactValue(detail, redact).filter(isFieldFailure);
        return refuse(`: ${describeFields(fields)}`, { kind: 'validation', fields });
    }
    if (typeof detail === 'string') {
        const text = ` ${readWord(category)}: ${detail}${addHint(call, answered)}`;
        return refuse(text, { kind: 'router', detail: redact(detail) });
    }
    const location = status < 400 && response?.headers.get('location');
    const to = location ? `, redirected to ${location}, which is not followed` : '';
    return refuse(`${to}: ${excerpt || 'no body'}`, { kind: 'opaque', excerpt });
}
/** The same of what is known without a response. */
export function failAs(call, status, detail, { category, facts, cause }) {
    return failAnswered(call, { status, body: { kind: 'json', value: { detail } }, facts, category }, { cause });
}
/** A queued request that completed without a result. Whether it was billed is open, also after a cancellation. */
export function failEnded(call, ended, cause) {
    const detail = 'the queued request ended without a result';
    return failAs({ ...call, attempts: 1 }, 200, detail, { ...ended, cause });
}
const readWord = ({ header, body, known }) => header ?? body ?? known;
/** Statuses by which the router itself refuses a call, unless the category names what came later. */
const refusals = [401, 402, 403, 404, 413, 429];
const later = /^(provider|client|cancelled|queue|deadline)/;
function mayCost(call, { status, category, facts }, isSuccess) {
    if (call.mayHaveRun)
        return true;
    if (!isSuccess && category.known === 'content_policy_violation')
        return call.chargesOnPolicyRejection !== 'no';
    if (!isBilled(call))
        return call.queued !== undefined;
    // Only an input that the router checks itself is refused before a provider sees it (MR-STC-11, C-07).
    const isChecked = status === 422 ? call.inputAuthored === true : status === 400 && category.known === 'invalid_input';
    const isRefused = (isChecked || refusals.includes(status)) && !later.test(category.known);
    return !isRefused || facts.upstreamStatus !== undefined;
}
export const newRun = 'a new key starts a new run, which may be billed';
function addHint({ operation, key }, { status, category: { known }, facts }) {
    if (operation === 'submit' && status === 403 && known === 'not_enabled')
        return ' Either the router is not enabled for this caller, or this model cannot be queued.';
    if (status === 409 && known === 'invalid_input' && key !== undefined)
        return ` The key is one of another request, or its result is gone; ${newRun}.`;
    return facts.retryAfterSeconds === undefined ? '' : ` It asks to wait ${facts.retryAfterSeconds} s.`;
}
function isFieldFailure(value) {
    const { loc, msg, type } = Object(value);
    const isText = typeof msg === 'string' && typeof type === 'string';
    return isText && Array.isArray(loc) && loc.every((step) => /string|number/.test(typeof step));
}
function describeFields(fields) {
    const shown = fields.slice(0, 3).map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
    if (fields.length > 3)
        shown.push(`and ${fields.length - 3} more`);
    return shown.join('; ') || 'the input was refused';
}
