/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export const fails = 0;
export const mayPass = 1;
export const passes = 2;
/** Returns a check that only applies to values of one type; all other values pass. */
export function checkIfType(isOfType, check) {
    return (value, path, pass) => (isOfType(value) ? check(value, path, pass) : passes);
}
/** Combines checks. If failures are collected, each check adds its own. Returns undefined for an empty list. */
export function checkAll(checks) {
    const [first, second] = checks;
    if (first === undefined || second === undefined)
        return first;
    // A loop without a callback, here and in `checkParts`, because callbacks would use up the stack for nested values.
    return (value, path, pass) => {
        let verdict = passes;
        for (const check of checks) {
            const part = check(value, path, pass);
            if (part < verdict)
                verdict = part;
            if (part === fails && !isCollecting(pass.failures))
                break;
        }
        return verdict;
    };
}
/** Thrown if a value is nested too deeply; the value is then invalid. Not a failure: `not` would turn it into a pass. */
export class NestedTooDeeply extends Error {
}
export class OutOfSteps extends Error {
}
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
/** Adds a failure, and returns `fails`. */
export function addFailure({ call, failures }, path, reason) {
    if (!isCollecting(failures))
        return fails;
    const loc = [];
    let characters = 0;
    for (let at = path; at !== undefined; at = at.outer) {
        loc.unshift(at.step);
        characters += typeof at.step === 'string' ? at.step.length : 1;
    }
    failures.push({ loc, ...reason });
    // A location contains every name of its path, so many failures could need more memory than the value.
    spend(call, 10 + characters / 4);
    return fails;
}
/** Passes if `isMet`; otherwise adds a failure. */
export function passIf(isMet, pass, path, reason) {
    return isMet ? passes : addFailure(pass, path, reason);
}
/** Returns `mayPass` if the pattern can't be run or takes too many steps. */
export function matchPattern(isMatch, text, call) {
    try {
        spend(call, 1);
        if (isMatch !== undefined && call.steps.patterns >= 0)
            return isMatch(text, (count) => spend(call, count, 'patterns')) ? passes : fails;
    }
    catch (error) {
        if (!(error instanceof OutOfSteps) || call.steps.checks < 0)
            throw error;
    }
    return mayPass;
}
/** Steps for each remembered name or index, because remembering one takes longer than checking it. */
const stepsToRemember = 2;
export function addEvaluated({ evaluated: known, call }, more) {
    if (known === undefined)
        return;
    spend(call, stepsToRemember * more.size);
    for (const step of more)
        known.add(step);
}
/** Returns the pass for parts of a value, which record their evaluated members separately. */
export function withoutEvaluated(pass) {
    return pass.evaluated === undefined ? pass : { ...pass, evaluated: undefined };
}
export function isContainer(value) {
    return typeof value === 'object' && value !== null;
}
export function isObject(value) {
    return isContainer(value) && !Array.isArray(value);
}
/** Returns the names of the members that JSON would contain. */
export function listNames(value) {
    return Object.keys(value).filter((name) => value[name] !== undefined);
}
export function hasMember(value, name) {
    return Object.hasOwn(value, name) && value[name] !== undefined;
}
export function listMembers(value, call) {
    const names = listNames(value);
    spend(call, names.length / 4);
    return names;
}
/** Checks the parts of values of one type. If `select` returns no check for a part, it passes and is not evaluated. */
export function checkParts(isOfType, listSteps, select) {
    return checkIfType(isOfType, (value, path, pass) => {
        const parts = Object(value);
        const within = withoutEvaluated(pass);
        let verdict = passes;
        for (const step of listSteps(value, pass.call)) {
            const check = select(step, pass);
            if (check === undefined)
                continue;
            if (pass.evaluated !== undefined)
                spend(pass.call, stepsToRemember);
            pass.evaluated?.add(step);
            const part = check(parts[step], { outer: path, step }, within);
            if (part < verdict)
                verdict = part;
            if (part === fails && !isCollecting(pass.failures))
                break;
        }
        return verdict;
    });
}
