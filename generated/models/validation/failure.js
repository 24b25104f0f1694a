/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/**
 * Thrown if a value is nested too deeply, or if schema or value refer to themselves without end. Ends the call as invalid; below `not`, a
 * returned failure would accept the value.
 */
export class NestedTooDeeply extends Error {
    name = 'NestedTooDeeply';
}
export const tooDeep = { loc: [], type: 'nested_too_deeply', msg: 'must not be nested so deeply' };
/** For a value that does not fit, if finding the place takes too many steps. */
export const tooLong = { loc: [], type: 'too_many_steps', msg: 'does not fit' };
/** After that, checking stops. */
const failuresAtMost = 1000;
/** True if more failures should be collected; false if only validity matters or the limit is reached. */
export function isCollecting(failures) {
    return failures !== undefined && failures.length < failuresAtMost;
}
export function traceSteps(path) {
    const loc = [];
    for (let at = path; at !== undefined; at = at.outer)
        loc.push(at.step);
    return loc.reverse();
}
/** Returns the first failure of each field. */
export function firstOfEach(failures) {
    const byField = new Map();
    for (const failure of failures) {
        const key = JSON.stringify(failure.loc);
        if (!byField.has(key))
            byField.set(key, failure);
    }
    return [...byField.values()];
}
