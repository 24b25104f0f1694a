/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { addEvaluated, all, createCall, OutOfSteps, refuse, spend, } from './check.js';
import { checkContains, checkItems, checkLength } from './check-arrays.js';
import { checkAllOf, checkAnyOf, checkConditional, checkNot, checkOneOf } from './check-branches.js';
import { checkDependents, checkMemberCount, checkMembers, checkNames, checkRequired, checkUnevaluated, } from './check-objects.js';
import { checkEnum, checkNumbers, checkText, checkType } from './check-scalars.js';
import { followed } from './definitions.js';
import { firstOfEach, NestedTooDeeply, tooDeep, tooLong } from './failure.js';
const usualSteps = 2_000_000;
/**
 * The validator of a schema, compiled on first use. Nothing is evaluated as code. Patterns are read by `readPattern`; one that it
 * does not read is left to the server.
 */
export function createValidator(schema, readPattern = () => undefined) {
    let made;
    const check = (value, path, pass) => {
        made ??= compileDocument(schema, readPattern);
        return made(value, path, pass);
    };
    const accepts = (value, call) => withinLimits(() => check(value, undefined, { call, failures: undefined, evaluated: undefined }));
    return {
        accepts: (value, { formats, maxSteps = usualSteps } = {}) => accepts(value, createCall(formats, maxSteps)),
        validate(value, { formats, maxSteps = usualSteps } = {}) {
            const call = createCall(formats, maxSteps);
            if (accepts(value, call))
                return { valid: true, value };
            call.steps = { checks: maxSteps, patterns: maxSteps };
            const failures = [];
            // What is known of the value's parts is kept, and only what fails is visited again.
            call.depth = 0;
            withinLimits(() => check(value, undefined, { call, failures, evaluated: undefined }));
            return {
                valid: false,
                detail: failures.length === 0 ? [call.steps.checks < 0 ? tooLong : tooDeep] : firstOfEach(failures),
            };
        },
    };
}
/** False where a limit of the value ends the call, true where it took too many steps: what is not checked is left to the server. */
function withinLimits(check) {
    try {
        return check();
    }
    catch (error) {
        if (error instanceof OutOfSteps)
            return true;
        // A caller may have used up most of the stack itself.
        if (error instanceof NestedTooDeeply || error instanceof RangeError)
            return false;
        throw error;
    }
}
const prefix = '#/$defs/';
function compileDocument(root, readPattern) {
    const definitions = (typeof root === 'object' ? root.$defs : undefined) ?? {};
    const made = new Map();
    const compile = (schema) => compileSchema(schema, { follow, compile, readPattern, definitions });
    const follow = (reference) => {
        const name = reference.startsWith(prefix) ? reference.slice(prefix.length) : '';
        const schema = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
        return (value, path, pass) => {
            const known = made.get(name) ?? followed(schema ?? true, compile(schema ?? true));
            made.set(name, known);
            return known(value, path, pass);
        };
    };
    return compile(root);
}
const nothingFits = { type: 'not_allowed', msg: 'no value is allowed here' };
function compileSchema(schema, { follow, compile, readPattern, definitions }) {
    if (typeof schema === 'boolean')
        return (_, path, pass) => {
            spend(pass.call, 1);
            return schema || refuse(pass, path, nothingFits);
        };
    const parts = [
        // The first failure of a field is reported, and `enum` says more than `type`.
        checkEnum(schema),
        checkType(schema),
        checkNumbers(schema),
        checkText(schema, readPattern),
        checkRequired(schema),
        checkMembers(schema, compile, readPattern),
        checkNames(schema, compile),
        checkMemberCount(schema),
        checkItems(schema, compile),
        checkLength(schema),
        checkContains(schema, compile),
        schema.$ref === undefined ? undefined : follow(schema.$ref),
        checkAllOf(schema, compile),
        checkAnyOf(schema, compile, definitions),
        checkOneOf(schema, compile, definitions),
        checkNot(schema, compile),
        checkConditional(schema, compile),
        checkDependents(schema, compile),
    ].filter((check) => check !== undefined);
    const whole = all(parts) ?? (() => true);
    const steps = Math.max(1, parts.length);
    const counted = (value, path, pass) => {
        spend(pass.call, steps);
        return whole(value, path, pass);
    };
    return withUnevaluated(counted, schema, compile);
}
function withUnevaluated(check, schema, compile) {
    const rest = checkUnevaluated(schema, compile);
    if (rest === undefined)
        return check;
    const whole = all([check, rest]) ?? check;
    return (value, path, pass) => {
        const evaluated = new Set();
        const fits = whole(value, path, { ...pass, evaluated });
        if (fits)
            addEvaluated(pass, evaluated);
        return fits;
    };
}
