/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
const stop = { kind: 'stop' };
/** The table of retry outcomes, by status and category (MR-IDM-05 to MR-IDM-16). */
export function nextStep(repetition, outcome) {
    if (repetition === 'unkeyed')
        return stop;
    if (outcome.kind === 'lost')
        return { kind: 'retry' };
    const { status, category, retryAfterSeconds: seconds } = outcome;
    const waits = category.known === 'rate_limited' || category.known === 'concurrency_limit_exceeded';
    if (status === 429)
        return { kind: waits || seconds !== undefined ? 'wait' : 'retry', seconds };
    if (status === 409) {
        const stillRuns = repetition === 'keyed' && category.known === 'concurrency_limit_exceeded';
        return stillRuns ? { kind: 'wait', seconds } : stop;
    }
    if (status === 504 && category.known === 'deadline_exceeded' && seconds !== undefined)
        return { kind: 'wait', seconds };
    return status >= 500 ? { kind: 'retry', seconds } : stop;
}
