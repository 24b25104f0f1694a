/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { addEvaluated, all, applyVerdict, decide, isCollecting, isContainer, NestedTooDeeply, OutOfSteps, refuse, spend, } from './check.js';
import { checkUnevaluated, keywords } from './keywords.js';
const tooDeep = { loc: [], type: 'nested_too_deeply', msg: 'is nested too deeply' };
/** Used if a value is invalid, but finding the invalid field would take too many steps. */
const tooLong = { loc: [], type: 'too_many_steps', msg: 'is invalid' };
/**
 * Creates the validator of a schema, which is compiled on first use, without evaluating code. A pattern for which
 * `readPattern` returns undefined is left to the server.
 */
export function createValidator(schema, readPattern = () => undefined) {
    let compiled;
    const check = (value, path, pass) => {
        compiled ??= compileDocument(schema, readPattern);
        return compiled(value, path, pass);
    };
    const accepts = (value, call) => withinLimits(() => check(value, undefined, { call, failures: undefined, evaluated: undefined }));
    return {
        accepts: (value, options) => accepts(value, createCall(options)),
        validate(value, options) {
            const first = createCall(options);
            if (accepts(value, first))
                return { valid: true, value };
            const failures = [];
            // Verdicts of parts are cached, so only failing parts are visited again.
            const call = { ...createCall(options), verdicts: first.verdicts };
            withinLimits(() => check(value, undefined, { call, failures, evaluated: undefined }));
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
    return { formats, steps, verdicts: new Map(), depth: 0, explaining: 0, isOpen: false };
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
    const checksByName = new Map();
    const compile = (schema) => compileSchema(schema, { follow, compile, readPattern, definitions });
    const follow = (reference) => {
        const [, name = ''] = /^#\/\$defs\/(.*)$/s.exec(reference) ?? [];
        const schema = (Object.hasOwn(definitions, name) ? definitions[name] : undefined) ?? true;
        return (value, path, pass) => {
            const definitionCheck = checksByName.get(name) ?? compileReference(schema, compile(schema));
            checksByName.set(name, definitionCheck);
            return definitionCheck(value, path, pass);
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
/** Decides each pair of definition and value once per call. If a pair depends on itself, the maximum depth ends the check. */
function compileReference(schema, check) {
    const { $ref, allOf, anyOf, oneOf, not, if: test, dependentSchemas } = Object(schema);
    const parts = [$ref, allOf, anyOf, oneOf, not, test, dependentSchemas];
    const isBranched = parts.some((part) => part !== undefined);
    return (value, path, pass) => {
        if (!isContainer(value) && !isBranched)
            return check(value, path, pass);
        const { call } = pass;
        spend(call, 1); // Looking up a verdict takes time as well.
        const known = call.verdicts.get(check) ?? new Map();
        call.verdicts.set(check, known);
        // A verdict that was found without tracking lacks the evaluated members.
        const isTracked = pass.evaluated !== undefined;
        let verdict = isTracked ? undefined : known.get(value);
        if (verdict === undefined) {
            descend(call);
            verdict = decide(check, value, path, pass);
            call.depth -= 1;
            if (!isTracked)
                known.set(value, verdict);
        }
        if (applyVerdict(verdict, pass))
            return true;
        if (isCollecting(pass.failures)) {
            descend(call);
            check(value, path, pass);
            call.depth -= 1;
        }
        return false;
    };
}
function descend(call) {
    call.depth += 1;
    if (call.depth > 500)
        throw new NestedTooDeeply();
}
