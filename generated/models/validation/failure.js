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
/** Checking stops there. */
const failuresAtMost = 1000;
/** True if further failures are wanted: false where only the verdict counts, or enough have been found. */
export function isCollecting(failures) {
    return failures !== undefined && failures.length < failuresAtMost;
}
export function traceSteps(path) {
    const loc = [];
    for (let at = path; at !== undefined; at = at.outer)
        loc.push(at.step);
    return loc.reverse();
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
