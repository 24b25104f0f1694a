/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { adopt, decide, spend } from './check.js';
import { isCollecting, NestedTooDeeply } from './failure.js';
import { isContainer } from './ids.js';
/** Definitions within each other; a value that needs more is refused. */
const depthAtMost = 500;
/**
 * The check of a reference. Each pair of definition and value is decided once in a call: branches that lead to the same definition
 * would otherwise double the work at every level. A pair that needs itself to be decided has no verdict and ends the call.
 */
export function followed(schema, check) {
    const isBranched = hasBranches(schema);
    return (value, path, pass) => {
        if (!isContainer(value) && !isBranched)
            return check(value, path, pass);
        spend(pass.call, 1); // what is known of a pair takes time as well
        const verdict = decided(check, value, path, pass);
        if (adopt(verdict, pass))
            return true;
        if (isCollecting(pass.failures) && isNew(check, value, path, pass.call)) {
            descend(pass.call);
            check(value, path, pass);
            pass.call.depth -= 1;
        }
        return false;
    };
}
/** Whether parts of a schema are asked about the same value. */
function hasBranches(schema) {
    if (typeof schema === 'boolean')
        return false;
    const { $ref, allOf, anyOf, oneOf, not, if: test, dependentSchemas } = schema;
    return [$ref, allOf, anyOf, oneOf, not, test, dependentSchemas].some((part) => part !== undefined);
}
function decided(check, value, path, pass) {
    const memory = pass.evaluated === undefined ? pass.call.verdicts : pass.call.trackedVerdicts;
    const byValue = memory.get(check) ?? new Map();
    memory.set(check, byValue);
    const known = byValue.get(value);
    if (known !== undefined)
        return known;
    if (byValue.has(value))
        throw new NestedTooDeeply();
    byValue.set(value, undefined);
    descend(pass.call);
    const verdict = decide(check, value, path, pass);
    pass.call.depth -= 1;
    byValue.set(value, verdict);
    return verdict;
}
function descend(call) {
    call.depth += 1;
    if (call.depth > depthAtMost)
        throw new NestedTooDeeply();
}
// The failures of a definition are collected once at each place, whatever leads to it there.
function isNew(check, value, path, call) {
    const places = call.explained.get(check) ?? new Map();
    call.explained.set(check, places);
    // Equal scalars are many, and each visit of one has a path of its own.
    const key = isContainer(value) ? value : path;
    const known = places.get(key) ?? [];
    if (known.some((one) => isSamePlace(one, path)))
        return false;
    places.set(key, [...known, path]);
    return true;
}
function isSamePlace(one, other) {
    let [left, right] = [one, other];
    while (left !== right) {
        if (left === undefined || right === undefined || left.step !== right.step)
            return false;
        [left, right] = [left.outer, right.outer];
    }
    return true;
}
