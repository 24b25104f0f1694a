/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { isCollecting, traceSteps } from './failure.js';
import { createIds } from './ids.js';
import { listNames } from './schema.js';
/** A check of the values of one type; any other value passes. */
export function when(isOfType, check) {
    return (value, path, pass) => !isOfType(value) || check(value, path, pass);
}
/** One check of several; where failures are collected each of them adds its own. Undefined for none. */
export function all(checks) {
    const [first, second] = checks;
    if (first === undefined || second === undefined)
        return first;
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
/** A call that takes more steps than it may. */
export class OutOfSteps extends Error {
    name = 'OutOfSteps';
}
export function spend({ steps }, count, on = 'checks') {
    steps[on] -= count;
    if (steps[on] < 0)
        throw new OutOfSteps();
}
/** A location holds every name on the way, so that many failures could need more memory than the value. */
const stepsOfFailure = 10;
const charactersPerStep = 4;
/** Always false, so that a check can end with it. */
export function refuse({ call, failures }, path, reason) {
    if (!isCollecting(failures))
        return false;
    const { type, msg, ctx } = reason;
    const loc = traceSteps(path);
    const characters = loc.reduce((sum, step) => sum + (typeof step === 'string' ? step.length : 1), 0);
    failures.push({ loc, msg, type, ...(ctx === undefined ? {} : { ctx }) });
    spend(call, stepsOfFailure + characters / charactersPerStep);
    return false;
}
/** Whether a text matches; true, and open, where that would take too many steps. */
export function matches(isMatch, text, call) {
    try {
        spend(call, 1);
        if (call.steps.patterns >= 0)
            return isMatch(text, (count) => spend(call, count, 'patterns'));
    }
    catch (error) {
        if (!(error instanceof OutOfSteps) || call.steps.checks < 0)
            throw error;
    }
    call.isOpen = true;
    return true;
}
export function createCall(formats, maxSteps) {
    return {
        formats,
        steps: { checks: maxSteps, patterns: maxSteps },
        ids: createIds(),
        enums: new Map(),
        verdicts: new Map(),
        trackedVerdicts: new Map(),
        depth: 0,
        isOpen: false,
    };
}
export function addEvaluated({ evaluated: known, call }, more) {
    if (known === undefined || more === undefined)
        return;
    spend(call, stepsToRemember * more.size);
    for (const step of more)
        known.add(step);
}
/** For the parts of a value, which record what they evaluate separately. */
export function inside(pass) {
    return pass.evaluated === undefined ? pass : { ...pass, evaluated: undefined };
}
/** Of each name: to list an object of many members takes longer than to check one. */
const stepsToList = 4;
/** Names of the members that JSON would hold. */
export function listMembers(value, call) {
    const names = listNames(value);
    spend(call, names.length > 100 ? stepsToList * names.length : names.length);
    return names;
}
/** Of each name or index: to remember it takes longer than to check it. */
const stepsToRemember = 2;
/** Checks parts of the values of one type, each by what `select` says for its step. Without a check, a part passes and is not evaluated. */
export function checkParts(isOfType, listSteps, select) {
    return when(isOfType, (value, path, pass) => {
        const parts = value;
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
/** The verdict of one part, which leaves no trace in the pass. */
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
/** Adds what a part that passes has evaluated and left open; whether it passes. */
export function adopt({ fits, evaluated }, pass) {
    if (fits === 'no')
        return false;
    if (fits === 'open')
        pass.call.isOpen = true;
    addEvaluated(pass, evaluated);
    return true;
}
