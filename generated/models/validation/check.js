/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** Returns a check that only applies to values of one type; all other values pass. */
export function when(isOfType, check) {
    return (value, path, pass) => !isOfType(value) || check(value, path, pass);
}
/** Combines checks. If failures are collected, each check adds its own. Returns undefined for an empty list. */
export function all(checks) {
    const [first, second] = checks;
    if (first === undefined || second === undefined)
        return first;
    // A loop without a callback, here and in `checkParts`, because callbacks would use up the stack for nested values.
    return (value, path, pass) => {
        let fits = true;
        for (const check of checks) {
            if (check(value, path, pass))
                continue;
            if (!isCollecting(pass.failures))
                return false;
            fits = false;
        }
        return fits;
    };
}
/** True if all names pass. Stops at the first one that fails, unless failures are collected. */
export function testEach(names, { failures }, test) {
    if (!isCollecting(failures))
        return names.every(test);
    return names.filter((name) => isCollecting(failures) && !test(name)).length === 0;
}
/** Thrown if a value is nested too deeply; the value is then invalid. Not a failure: `not` would turn it into a pass. */
export class NestedTooDeeply extends Error {
}
export class OutOfSteps extends Error {
}
/** Steps for each remembered name or index, because remembering one takes longer than checking it. */
const stepsToRemember = 2;
export function spend({ steps }, count, on = 'checks') {
    steps[on] -= count;
    if (steps[on] < 0)
        throw new OutOfSteps();
}
/** Maximum number of failures before checking stops. */
const maxFailures = 1000;
export function isCollecting(failures) {
    return failures !== undefined && failures.length < maxFailures;
}
export function traceSteps(path) {
    const loc = [];
    for (let at = path; at !== undefined; at = at.outer)
        loc.push(at.step);
    return loc.reverse();
}
/** Adds a failure. Always returns false, so that a check can return the result. */
export function refuse({ call, failures }, path, { type, msg, ctx }) {
    if (!isCollecting(failures))
        return false;
    const loc = traceSteps(path);
    // A location contains every name of its path, so many failures could need more memory than the value.
    const characters = loc.reduce((sum, step) => sum + (typeof step === 'string' ? step.length : 1), 0);
    failures.push({ loc, msg, type, ...(ctx === undefined ? {} : { ctx }) });
    spend(call, 10 + characters / 4);
    return false;
}
/** True if a text matches. Returns true and sets `isOpen` if the pattern can't be run or takes too many steps. */
export function matches(isMatch, text, call) {
    try {
        spend(call, 1);
        if (isMatch !== undefined && call.steps.patterns >= 0)
            return isMatch(text, (count) => spend(call, count, 'patterns'));
    }
    catch (error) {
        if (!(error instanceof OutOfSteps) || call.steps.checks < 0)
            throw error;
    }
    call.isOpen = true;
    return true;
}
export function addEvaluated({ evaluated: known, call }, more) {
    if (known === undefined || more === undefined)
        return;
    spend(call, stepsToRemember * more.size);
    for (const step of more)
        known.add(step);
}
/** Returns the pass for parts of a value, which record their evaluated members separately. */
export function inside(pass) {
    return pass.evaluated === undefined ? pass : { ...pass, evaluated: undefined };
}
export function isContainer(value) {
    return typeof value === 'object' && value !== null;
}
export function isMembers(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
/** Returns the names of the members that JSON would contain. */
export function listNames(value) {
    return Object.keys(value).filter((name) => value[name] !== undefined);
}
export function has(value, name) {
    return Object.hasOwn(value, name) && value[name] !== undefined;
}
export function listMembers(value, call) {
    const names = listNames(value);
    spend(call, names.length / 4);
    return names;
}
/** Checks the parts of values of one type. If `select` returns no check for a part, it passes and is not evaluated. */
export function checkParts(isOfType, listSteps, select) {
    return when(isOfType, (value, path, pass) => {
        const parts = Object(value);
        const within = inside(pass);
        let fits = true;
        for (const step of listSteps(value, pass.call)) {
            const check = select(step, pass);
            if (check === undefined)
                continue;
            if (pass.evaluated !== undefined)
                spend(pass.call, stepsToRemember);
            pass.evaluated?.add(step);
            if (check(parts[step], { outer: path, step }, within))
                continue;
            if (!isCollecting(pass.failures))
                return false;
            fits = false;
        }
        return fits;
    });
}
export function decide(check, value, path, pass) {
    const { call } = pass;
    const wasOpen = call.isOpen;
    call.isOpen = false;
    const evaluated = pass.evaluated === undefined ? undefined : new Set();
    const passes = check(value, path, { call, failures: undefined, evaluated });
    const fits = passes ? (call.isOpen ? 'open' : 'yes') : 'no';
    call.isOpen = wasOpen;
    return { fits, evaluated };
}
/** If a part passes, adds its evaluated members and returns true. Sets `isOpen` if a pattern of the part could not be run. */
export function applyVerdict({ fits, evaluated }, pass) {
    if (fits === 'no')
        return false;
    if (fits === 'open')
        pass.call.isOpen = true;
    addEvaluated(pass, evaluated);
    return true;
}
