import { describe, nothingDescribed, silently } from './check.js';
import { refuse } from './failure.js';
export function checkAllOf({ allOf }, compile) {
    if (allOf === undefined)
        return undefined;
    const checks = allOf.map(compile);
    return (value, place, run) => {
        let fits = true;
        for (const check of checks)
            if (!apart(check, value, { place, run }))
                fits = false;
        return fits;
    };
}
export function checkAnyOf({ anyOf }, compile) {
    if (anyOf === undefined)
        return undefined;
    const branches = anyOf.map((schema) => ({ schema, check: compile(schema) }));
    return (value, place, run) => {
        // Where described members count, every branch that matches adds its own.
        let fits = false;
        for (const { check } of branches) {
            if (!apart(check, value, { place, run: silently(run) }))
                continue;
            if (run.described === undefined)
                return true;
            fits = true;
        }
        return fits || explain(branches, value, { place, run });
    };
}
export function checkOneOf({ oneOf }, compile) {
    if (oneOf === undefined)
        return undefined;
    const branches = oneOf.map((schema) => ({ schema, check: compile(schema) }));
    return (value, place, run) => {
        const matching = branches.filter(({ check }) => check(value, place, { ...silently(run), described: undefined }));
        const [only] = matching;
        if (only === undefined)
            return explain(branches, value, { place, run });
        if (matching.length === 1)
            return run.described === undefined || only.check(value, place, run);
        const msg = `must match exactly one of the alternatives; it matches ${matching.length}`;
        return refuse(run.complaints, place, { type: 'union_mismatch', msg });
    };
}
export function checkNot({ not }, compile) {
    if (not === undefined)
        return undefined;
    const check = compile(not);
    const reason = { type: 'not_allowed', msg: 'must not be of the form that is excluded' };
    return (value, place, run) => !check(value, place, { ...silently(run), described: undefined }) || refuse(run.complaints, place, reason);
}
export function checkConditional(schema, compile) {
    if (schema.if === undefined)
        return undefined;
    const test = compile(schema.if);
    // Bound to names of their own: an object with a member `then` would be taken for a promise.
    const { then: consequence = true, else: alternative = true } = schema;
    const [yes, no] = [compile(consequence), compile(alternative)];
    return (value, place, run) => apart(apart(test, value, { place, run: silently(run) }) ? yes : no, value, { place, run });
}
/** What a part that fails has described does not count. */
export function apart(check, value, { place, run }) {
    if (run.described === undefined)
        return check(value, place, run);
    const described = nothingDescribed();
    if (!check(value, place, { ...run, described }))
        return false;
    describe(run.described, described);
    return true;
}
/** Where it is clear which branch was meant, its own complaints; else one about the union. */
function explain(branches, value, { place, run }) {
    if (run.complaints === undefined)
        return false;
    const depth = depthOf(place);
    const told = branches.map(({ schema, check }) => {
        const complaints = [];
        check(value, place, { ...run, complaints, described: undefined });
        return { isNull: typeof schema === 'object' && schema.type === 'null', complaints };
    });
    const others = told.filter(({ isNull }) => !isNull);
    const meant = others.length === 1 ? others : likely(others, depth);
    const [only] = meant;
    if (meant.length === 1 && only !== undefined && only.complaints.length > 0) {
        run.complaints.push(...only.complaints);
        return false;
    }
    return refuse(run.complaints, place, { type: 'union_mismatch', msg: 'must match one of the alternatives' });
}
// A branch whose very type or marking member does not fit was not meant.
function likely(branches, depth) {
    const ofKind = branches.filter(({ complaints }) => complaints.every(({ loc }) => loc.length > depth));
    if (ofKind.length < 2)
        return ofKind;
    const isMark = ({ loc, type }) => loc.length === depth + 1 && type === 'literal_error';
    return ofKind.filter(({ complaints }) => !complaints.some(isMark));
}
function depthOf(place) {
    let depth = 0;
    for (let at = place; at !== undefined; at = at.outer)
        depth++;
    return depth;
}
