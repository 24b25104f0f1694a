/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
const stop = { kind: 'stop' };
/** Of a queued request that ended, whatever status says so (MR-CTG-21, MR-CTG-23). */
const ended = ['cancelled', 'queue_timeout', 'content_policy_violation'];
/** The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). */
export function nextStep(repetition, outcome) {
    if (repetition === 'unkeyed')
        return stop;
    if (outcome.kind === 'lost')
        return { kind: 'retry' };
    const { status, category, retryAfterSeconds: seconds } = outcome;
    if (isToldToWait(repetition, outcome))
        return { kind: 'wait', seconds };
    const hasEnded = (repetition === 'collect' || repetition === 'read') && ended.includes(category.known);
    return (status === 429 || status >= 500) && !hasEnded ? { kind: 'retry', seconds } : stop;
}
function isToldToWait(repetition, { status, category: { known }, retryAfterSeconds }) {
    const isTold = retryAfterSeconds !== undefined;
    if (status === 429)
        return isTold || known === 'rate_limited' || known === 'concurrency_limit_exceeded';
    if (status === 409)
        return repetition === 'keyed' && known === 'concurrency_limit_exceeded';
    return status === 504 && known === 'deadline_exceeded' && isTold;
}
/** Whether a billed call that ended so may have reached a provider, which nothing that comes later takes back (MR-IDM-20). */
export function mayHaveRun(outcome) {
    if (outcome.kind === 'lost')
        return outcome.isUnsent !== true;
    if (outcome.status >= 500)
        return true;
    return outcome.status === 409 && outcome.category.known === 'concurrency_limit_exceeded';
}
