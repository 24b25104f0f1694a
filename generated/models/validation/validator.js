import { addEvaluated, nothingEvaluated } from './check.js';
import { checkContains, checkItems, checkLength, checkUnevaluatedItems } from './check-arrays.js';
import { checkAllOf, checkAnyOf, checkConditional, checkNot, checkOneOf, isolated } from './check-branches.js';
import { checkDependents, checkMemberCount, checkMembers, checkNames, checkRequired, checkUnevaluatedMembers, } from './check-objects.js';
import { all, checkEnum, checkNumbers, checkText, checkType } from './check-scalars.js';
import { firstOfEach, refuse } from './failure.js';
/** The validator of a schema, compiled on first use. Nothing is evaluated as code. */
export function createValidator(schema) {
    let made;
    const check = (value, path, run) => {
        made ??= compileDocument(schema);
        return made(value, path, run);
    };
    const start = (failures, options) => ({
        failures,
        evaluated: undefined,
        depth: 0,
        formats: options?.formats,
    });
    return {
        accepts: (value, options) => check(value, undefined, start(undefined, options)),
        validate(value, options) {
            if (check(value, undefined, start(undefined, options)))
                return { valid: true, value };
            const failures = [];
            check(value, undefined, start(failures, options));
            return { valid: false, detail: firstOfEach(failures) };
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
        return (value, path, run) => {
            // No real value is deeper; a reference that leads only to itself refuses nothing.
            if (run.depth > followedAtMost)
                return true;
            let check = made.get(name);
            if (check === undefined) {
                check = compile((definitions !== undefined && Object.hasOwn(definitions, name) ? definitions[name] : true) ?? true);
                made.set(name, check);
            }
            return isolated(check, value, { path, run: { ...run, depth: run.depth + 1 } });
        };
    };
    return compile(root);
}
const nothingFits = { type: 'not_allowed', msg: 'no value is allowed here' };
function compileSchema(schema, follow, compile) {
    if (schema === false)
        return (_, path, run) => refuse(run.failures, path, nothingFits);
    if (schema === true)
        return () => true;
    const parts = [
        // The first failure of a field is reported, and `enum` says more than `type`.
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
    return withUnevaluated(all(parts) ?? (() => true), schema, compile);
}
function withUnevaluated(check, schema, compile) {
    const rest = [checkUnevaluatedMembers(schema, compile), checkUnevaluatedItems(schema, compile)].filter((one) => one !== undefined);
    if (rest.length === 0)
        return check;
    const whole = all([check, ...rest]) ?? check;
    return (value, path, run) => {
        const evaluated = nothingEvaluated();
        const fits = whole(value, path, { ...run, evaluated });
        if (fits && run.evaluated !== undefined)
            addEvaluated(run.evaluated, evaluated);
        return fits;
    };
}
