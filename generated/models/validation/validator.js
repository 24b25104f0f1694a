/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { addEvaluated, adopt, all, createCall, decide, OutOfSteps, refuse, spend, } from './check.js';
import { firstOfEach, isCollecting, NestedTooDeeply, tooDeep, tooLong, } from './failure.js';
import { checkUnevaluated, keywords } from './keywords.js';
import { isContainer } from './schema.js';
const usualSteps = 2_000_000;
/**
 * Creates the validator of a schema, which is compiled on first use. Nothing is evaluated as code. A pattern for which `readPattern`
 * returns undefined is left to the server.
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
            // Verdicts of parts are kept, so that only failing parts are visited again.
            call.depth = 0;
            withinLimits(() => check(value, undefined, { call, failures, evaluated: undefined }));
            return {
                valid: false,
                detail: failures.length === 0 ? [call.steps.checks < 0 ? tooLong : tooDeep] : firstOfEach(failures),
            };
        },
    };
}
/** Returns false if the value is nested too deeply, and true after too many steps: the rest is left to the server. */
function withinLimits(check) {
    try {
        return check();
    }
    catch (error) {
        if (error instanceof OutOfSteps)
            return true;
        // The caller may have used up most of the stack.
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
function compileSchema(schema, compiling) {
    if (typeof schema === 'boolean')
        return (_, path, pass) => {
            spend(pass.call, 1);
            return schema || refuse(pass, path, nothingFits);
        };
    const parts = keywords.map((keyword) => keyword(schema, compiling)).filter((check) => check !== undefined);
    const whole = all(parts) ?? (() => true);
    const steps = Math.max(1, parts.length);
    const counted = (value, path, pass) => {
        spend(pass.call, steps);
        return whole(value, path, pass);
    };
    const rest = checkUnevaluated(schema, compiling);
    if (rest === undefined)
        return counted;
    const both = all([counted, rest]) ?? counted;
    return (value, path, pass) => {
        const evaluated = new Set();
        const fits = both(value, path, { ...pass, evaluated });
        if (fits)
            addEvaluated(pass, evaluated);
        return fits;
    };
}
/** Maximum depth of nested definitions; a value that needs more is refused. */
const depthAtMost = 500;
/**
 * Makes the check of a reference. Each pair of definition and value is decided once in a call: branches that lead to the same definition
 * would otherwise double the work at every level. A pair that depends on itself ends the call.
 */
function followed(schema, check) {
    const isBranched = hasBranches(schema);
    return (value, path, pass) => {
        if (!isContainer(value) && !isBranched)
            return check(value, path, pass);
        spend(pass.call, 1); // looking up a verdict takes time as well
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
/** Returns whether several parts of a schema check the same value. */
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
// The failures of a definition are collected once at each place. Otherwise alternatives that lead to it would double the work at
// every level.
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
