/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Of a queued request that ended, whatever status says so (MR-CTG-21, MR-CTG-23). */
const ended = /^(cancelled|queue_timeout|content_policy_violation)$/;
/**
 * The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). `endsWith` is how the status said that a queued
 * request ended: an answer that repeats it is final.
 */
export function nextStep(repetition, outcome, endsWith) {
    const { status, known = '', retryAfterSeconds: seconds, isFinal } = outcome;
    if (repetition === 'unkeyed' || isFinal)
        return undefined;
    if (isToldToWait(repetition, outcome))
        return { isTold: true, seconds };
    const isPoll = repetition === 'poll';
    const isQuestion = isPoll || repetition === 'collect' || repetition === 'read';
    if (isQuestion && known !== '' && (known === endsWith || ended.test(known)))
        return undefined;
    const isLagging = status === 404 && (isPoll || (repetition === 'collect' && endsWith === undefined)); // a replica
    if (isLagging)
        return { isTold: false, seconds };
    // A success that is not the one that is due says nothing. An admitted request goes on, whatever an answer about it fails to say.
    const isUnclear = status < 300 || status >= 500 || [408, 425, 429].includes(status);
    return isUnclear ? { isTold: isPoll, seconds } : undefined;
}
function isToldToWait(repetition, { status, known, retryAfterSeconds }) {
    const isTold = retryAfterSeconds !== undefined;
    const isCeiling = known === 'concurrency_limit_exceeded';
    if (status === 429)
        return isTold || isCeiling || known === 'rate_limited';
    if (status === 409)
        return isCeiling && repetition === 'keyed';
    return isTold && status === 504 && known === 'deadline_exceeded';
}
/** Whether a billed call that ended so may have reached a provider, which nothing that comes later takes back (MR-IDM-20). */
export function mayHaveRun({ status, known, isUnsent }) {
    if (isUnsent)
        return false;
    return status < 300 || status >= 500 || status === 408 || (status === 409 && known === 'concurrency_limit_exceeded');
}
