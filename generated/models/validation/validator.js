/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { addEvaluated, checkAll, fails, isCollecting, NestedTooDeeply, OutOfSteps, passes, passIf, spend, } from './check.js';
import { checkUnevaluated, keywords } from './keywords.js';
const tooDeep = { loc: [], type: 'nested_too_deeply', msg: 'is nested too deeply' };
/** Used if a value is invalid, but finding the invalid field would take too many steps. */
const tooLong = { loc: [], type: 'too_many_steps', msg: 'is invalid' };
/** Creates a validator, which compiles on first use and evaluates no code. Unreadable patterns are not checked. */
export function createValidator(schema, readPattern = () => undefined) {
    let compiled;
    const check = (value, path, pass) => {
        compiled ??= compileDocument(schema, readPattern);
        return compiled(value, path, pass);
    };
    const accepts = (value, call, failures) => withinLimits(() => check(value, undefined, { call, failures, evaluated: undefined }) !== fails);
    return {
        accepts: (value, options) => accepts(value, createCall(options)),
        validate(value, options) {
            const first = createCall(options);
            if (accepts(value, first))
                return { valid: true, value };
            const failures = [];
            // Verdicts of parts are cached, so only failing parts are visited again.
            const call = { ...createCall(options), verdicts: first.verdicts };
            accepts(value, call, failures);
            if (failures.length === 0)
                return { valid: false, detail: [call.steps.checks < 0 ? tooLong : tooDeep] };
            const firstByField = new Map();
            for (const failure of failures) {
                const field = JSON.stringify(failure.loc);
                if (!firstByField.has(field))
                    firstByField.set(field, failure);
            }
            return { valid: false, detail: [...firstByField.values()] };
        },
    };
}
function createCall({ formats, maxSteps = 2_000_000 } = {}) {
    const steps = { checks: maxSteps, patterns: maxSteps };
    return { formats, steps, verdicts: new Map(), depth: 0 };
}
/** Returns false for a value that is nested too deeply, and true after too many steps: the rest is left to the server. */
function withinLimits(check) {
    try {
        return check();
    }
    catch (error) {
        if (error instanceof OutOfSteps)
            return true;
        // A RangeError is a stack overflow: the caller may have used up most of the stack.
        if (error instanceof NestedTooDeeply || error instanceof RangeError)
            return false;
        throw error;
    }
}
function compileDocument(root, readPattern) {
    const definitions = (typeof root === 'object' ? root.$defs : undefined) ?? {};
    const checks = new Map();
    const findDefinition = (reference) => {
        const name = reference.slice('#/$defs/'.length);
        return (Object.hasOwn(definitions, name) ? definitions[name] : undefined) ?? true;
    };
    const compile = (schema) => compileSchema(schema, { compile, follow, findDefinition, readPattern });
    const follow = (reference) => {
        return (value, path, pass) => {
            const check = checks.get(reference) ?? rememberVerdicts(compile(findDefinition(reference)));
            checks.set(reference, check);
            return check(value, path, pass);
        };
    };
    return compile(root);
}
const nothingAllowed = { type: 'not_allowed', msg: 'no value is allowed here' };
function compileSchema(schema, context) {
    if (typeof schema === 'boolean')
        return (_, path, pass) => {
            spend(pass.call, 1);
            return passIf(schema, pass, path, nothingAllowed);
        };
    const parts = keywords.map((keyword) => keyword(schema, context)).filter((check) => check !== undefined);
    const whole = checkAll(parts) ?? (() => passes);
    const steps = Math.max(1, parts.length);
    const counted = (value, path, pass) => {
        spend(pass.call, steps);
        return whole(value, path, pass);
    };
    const rest = checkUnevaluated(schema, context);
    const both = rest && checkAll([counted, rest]);
    if (both === undefined)
        return counted;
    return (value, path, pass) => {
        const evaluated = new Set();
        const verdict = both(value, path, { ...pass, evaluated });
        addEvaluated(pass, evaluated);
        return verdict;
    };
}
/** Decides each pair of definition and value once per call. If a pair depends on itself, the maximum depth ends the check. */
function rememberVerdicts(check) {
    return (value, path, pass) => {
        const { call, failures, evaluated } = pass;
        spend(call, 1); // Looking up a verdict takes time as well.
        const verdicts = call.verdicts.get(check) ?? new Map();
        call.verdicts.set(check, verdicts);
        // A verdict that was found without tracking lacks the evaluated members.
        let verdict = evaluated === undefined ? verdicts.get(value) : undefined;
        if (verdict === undefined) {
            verdict = checkOneLevelDeeper(check, value, path, { ...pass, failures: undefined });
            if (evaluated === undefined)
                verdicts.set(value, verdict);
        }
        return verdict === fails && isCollecting(failures) ? checkOneLevelDeeper(check, value, path, pass) : verdict;
    };
}
function checkOneLevelDeeper(check, value, path, pass) {
    const { call } = pass;
    call.depth += 1;
    if (call.depth > 500)
        throw new NestedTooDeeply();
    const verdict = check(value, path, pass);
    call.depth -= 1;
    return verdict;
}
