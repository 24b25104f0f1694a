import { describe, nothingDescribed } from './check.js';
import { checkContains, checkItems, checkLength, checkUndescribedItems } from './check-arrays.js';
import { apart, checkAllOf, checkAnyOf, checkConditional, checkNot, checkOneOf } from './check-branches.js';
import { checkDependents, checkMemberCount, checkMembers, checkNames, checkRequired, checkUndescribedMembers, } from './check-objects.js';
import { all, checkEnum, checkNumbers, checkText, checkType } from './check-scalars.js';
import { firstOfEach, refuse } from './failure.js';
/** The validator of a schema; its checks are made when it is first asked. Nothing is evaluated as code. */
export function createValidator(schema) {
    let made;
    const check = (value, place, run) => {
        made ??= compileDocument(schema);
        return made(value, place, run);
    };
    const start = (complaints, options) => ({
        complaints,
        described: undefined,
        depth: 0,
        formats: options?.formats,
    });
    return {
        accepts: (value, options) => check(value, undefined, start(undefined, options)),
        validate(value, options) {
            if (check(value, undefined, start(undefined, options)))
                return { valid: true, value };
            const complaints = [];
            check(value, undefined, start(complaints, options));
            return { valid: false, detail: firstOfEach(complaints) };
        },
    };
}
const followedAtMost = 400;
const prefix = '#/$defs/';
function compileDocument(root) {
    const definitions = typeof root === 'object' ? root.$defs : undefined;
    const made = new Map();
    const compile = (schema) => compileSchema(schema, follow, compile);
    const follow = (reference) => {
        const name = reference.startsWith(prefix) ? reference.slice(prefix.length) : '';
        return (value, place, run) => {
            // Deeper than this lies no honest value; what leads only to itself refuses nothing.
            if (run.depth > followedAtMost)
                return true;
            let check = made.get(name);
            if (check === undefined) {
                check = compile((definitions !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : true) ?? true);
                made.set(name, check);
            }
            return apart(check, value, { place, run: { ...run, depth: run.depth + 1 } });
        };
    };
    return compile(root);
}
const nothingFits = { type: 'not_allowed', msg: 'no value is allowed here' };
function compileSchema(schema, follow, compile) {
    if (schema === false)
        return (_, place, run) => refuse(run.complaints, place, nothingFits);
    if (schema === true)
        return () => true;
    const parts = [
        // Of several complaints about a field the first one stays, and a list of values tells more than their type.
        checkEnum(schema),
        checkType(schema),
        checkNumbers(schema),
        checkText(schema),
        checkRequired(schema),
        checkMembers(schema, compile),
        checkNames(schema, compile),
        checkMemberCount(schema),
        checkItems(schema, compile),
        checkLength(schema),
        checkContains(schema, compile),
        schema.$ref === undefined ? undefined : follow(schema.$ref),
        checkAllOf(schema, compile),
        checkAnyOf(schema, compile),
        checkOneOf(schema, compile),
        checkNot(schema, compile),
        checkConditional(schema, compile),
        checkDependents(schema, compile),
    ].filter((check) => check !== undefined);
    return withUndescribed(all(parts) ?? (() => true), schema, compile);
}
function withUndescribed(check, schema, compile) {
    const rest = [checkUndescribedMembers(schema, compile), checkUndescribedItems(schema, compile)].filter((one) => one !== undefined);
    if (rest.length === 0)
        return check;
    const whole = all([check, ...rest]) ?? check;
    return (value, place, run) => {
        const described = nothingDescribed();
        const fits = whole(value, place, { ...run, described });
        if (fits && run.described !== undefined)
            describe(run.described, described);
        return fits;
    };
}
