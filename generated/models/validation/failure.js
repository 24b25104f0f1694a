/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/**
 * Ends a call as invalid, whatever surrounds the place: below `not` a mere failure would become acceptance. Thrown where a value is
 * nested deeper than is followed, or where schema or value lead back to themselves without end.
 */
export class NestedTooDeeply extends Error {
    name = 'NestedTooDeeply';
}
export const tooDeep = { loc: [], type: 'nested_too_deeply', msg: 'must not be nested so deeply' };
/** Of a value that does not fit, where finding the place takes more steps than are allowed. */
export const tooLong = { loc: [], type: 'too_many_steps', msg: 'does not fit' };
/** Each may lie deep in the value, so that many would cost more memory than the value itself. */
const failuresAtMost = 1000;
export function traceSteps(path) {
    const loc = [];
    for (let at = path; at !== undefined; at = at.outer)
        loc.push(at.step);
    return loc.reverse();
}
/** Always false, so that a check can end with it. */
export function refuse(failures, path, reason) {
    if (failures !== undefined && failures.length < failuresAtMost) {
        const { type, msg, ctx } = reason;
        failures.push({ loc: traceSteps(path), msg, type, ...(ctx === undefined ? {} : { ctx }) });
    }
    return false;
}
export function addFailures(failures, more) {
    failures.push(...more.slice(0, Math.max(0, failuresAtMost - failures.length)));
}
/** The first failure of each field. */
export function firstOfEach(failures) {
    const byField = new Map();
    for (const failure of failures) {
        const key = JSON.stringify(failure.loc);
        if (!byField.has(key))
            byField.set(key, failure);
    }
    return [...byField.values()];
}
