/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Of a queued request that ended, whatever status says so (MR-CTG-21, MR-CTG-23). */
const ended = ['cancelled', 'queue_timeout', 'content_policy_violation'];
/**
 * The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). `endsWith` is how the status said that a queued
 * request ended: an answer that repeats it is final.
 */
export function nextStep(repetition, outcome, endsWith) {
    if (repetition === 'unkeyed')
        return undefined;
    // An admitted request goes on, whatever an answer about it fails to say.
    const isTold = repetition === 'poll';
    if (outcome.kind === 'lost')
        return outcome.isFinal ? undefined : { isTold };
    const { status, category, retryAfterSeconds: seconds } = outcome;
    if (isToldToWait(repetition, outcome))
        return { isTold: true, seconds };
    const isQuestion = repetition === 'poll' || repetition === 'collect' || repetition === 'read';
    if (isQuestion && (category.known === endsWith || ended.includes(category.known)))
        return undefined;
    if (status === 404 && repetition === 'poll')
        return { isTold: false, seconds }; // a replica may lag behind
    return status === 408 || status === 429 || status >= 500 || isUnreadable(repetition, status)
        ? { isTold, seconds }
        : undefined;
}
/** A success whose body is no state, such as the page of a proxy. */
function isUnreadable(repetition, status) {
    return repetition === 'poll' ? status < 300 : repetition === 'collect' && status === 202;
}
function isToldToWait(repetition, { status, category: { known }, retryAfterSeconds }) {
    const isTold = retryAfterSeconds !== undefined;
    if (status === 429)
        return isTold || known === 'rate_limited' || known === 'concurrency_limit_exceeded';
    if (status === 409)
        return repetition === 'keyed' && known === 'concurrency_limit_exceeded';
    return status === 504 && known === 'deadline_exceeded' && isTold;
}
/** Whether the service waits for an output itself: the call was admitted, and asking again collects it. */
export function isCollecting(outcome) {
    return outcome.kind === 'answered' && outcome.status !== 429;
}
/** Whether a billed call that ended so may have reached a provider, which nothing that comes later takes back (MR-IDM-20). */
export function mayHaveRun(outcome) {
    if (outcome.kind === 'lost')
        return outcome.isUnsent !== true;
    if (outcome.status >= 500 || outcome.status === 408)
        return true;
    return outcome.status === 409 && outcome.category.known === 'concurrency_limit_exceeded';
}
