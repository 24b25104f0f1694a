/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { addEvaluated, adopt, all, decide, refuse } from './check.js';
import { createDescription, explain } from './explain-branches.js';
export function checkAllOf({ allOf }, compile) {
    if (allOf === undefined)
        return undefined;
    return all(allOf.map((schema) => isolate(compile(schema)))) ?? (() => true);
}
export function checkAnyOf({ anyOf }, compile, named) {
    if (anyOf === undefined)
        return undefined;
    const branches = anyOf.map((schema) => createBranch(schema, compile, named));
    return (value, path, pass) => {
        const wasOpen = pass.call.isOpen;
        let fits = 'no';
        for (const { check } of branches) {
            const verdict = decide(check, value, path, pass);
            adopt(verdict, pass);
            if (verdict.fits === 'yes' || fits === 'no')
                fits = verdict.fits;
            // Where `unevaluated…` applies, every matching branch adds what it evaluates.
            if (fits === 'yes' && pass.evaluated === undefined)
                break;
        }
        if (fits === 'yes')
            pass.call.isOpen = wasOpen;
        return fits !== 'no' || explain(branches, value, path, pass);
    };
}
export function checkOneOf({ oneOf }, compile, named) {
    if (oneOf === undefined)
        return undefined;
    const branches = oneOf.map((schema) => createBranch(schema, compile, named));
    return (value, path, pass) => {
        const matching = branches.map(({ check }) => decide(check, value, path, pass)).filter(({ fits }) => fits !== 'no');
        if (matching.length === 0)
            return explain(branches, value, path, pass);
        const sure = matching.filter(({ fits }) => fits === 'yes').length;
        if (sure > 1) {
            const msg = `must match exactly one of the alternatives; it matches ${sure}`;
            return refuse(pass, path, { type: 'union_mismatch', msg });
        }
        for (const verdict of matching)
            adopt(verdict, pass);
        return true;
    };
}
function createBranch(schema, compile, named) {
    return { schema, check: compile(schema), describe: createDescription(schema, named) };
}
export function checkNot({ not }, compile) {
    if (not === undefined)
        return undefined;
    const check = compile(not);
    const reason = { type: 'not_allowed', msg: 'must not be of the form that is excluded' };
    return (value, path, pass) => {
        const { fits } = decide(check, value, path, pass);
        if (fits === 'open')
            pass.call.isOpen = true;
        return fits !== 'yes' || refuse(pass, path, reason);
    };
}
export function checkConditional(schema, compile) {
    if (schema.if === undefined)
        return undefined;
    const test = compile(schema.if);
    // Renamed: an object with a member `then` would be taken for a promise.
    const { then: consequence = true, else: alternative = true } = schema;
    const [yes, no] = [isolate(compile(consequence)), isolate(compile(alternative))];
    return (value, path, pass) => {
        const verdict = decide(test, value, path, pass);
        adopt(verdict, pass);
        return verdict.fits === 'open' || (verdict.fits === 'yes' ? yes : no)(value, path, pass);
    };
}
/** The check with what it evaluates counted only when it passes. */
function isolate(check) {
    return (value, path, pass) => {
        if (pass.evaluated === undefined)
            return check(value, path, pass);
        const evaluated = new Set();
        const fits = check(value, path, { ...pass, evaluated });
        // The members of a part whose failures are reported are not reported as unknown, too.
        if (fits || pass.failures !== undefined)
            addEvaluated(pass, evaluated);
        return fits;
    };
}
