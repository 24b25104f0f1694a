/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { all, checkParts, inside, listMembers, matches, refuse, spend, when, } from './check.js';
import { checkCount, leaveOpen } from './check-scalars.js';
import { isCollecting } from './failure.js';
import { isContainer } from './ids.js';
import { has, isMembers } from './schema.js';
const extraField = { type: 'extra_forbidden', msg: 'field is not allowed' };
const missing = { type: 'missing', msg: 'field is required' };
export function checkRequired({ required, dependentRequired }) {
    const dependents = Object.entries(dependentRequired ?? {});
    if (required === undefined && dependents.length === 0)
        return undefined;
    return when(isMembers, (value, path, pass) => {
        const needed = dependents.filter(([name]) => has(value, name)).map(([, others]) => others);
        spend(pass.call, dependents.length);
        let fits = true;
        for (const names of required === undefined ? needed : [required, ...needed]) {
            spend(pass.call, names.length);
            for (const name of names) {
                if (has(value, name))
                    continue;
                fits = refuse(pass, { outer: path, step: name }, missing);
                if (!isCollecting(pass.failures))
                    return false;
            }
        }
        return fits;
    });
}
export function checkDependents({ dependentSchemas }, compile) {
    if (dependentSchemas === undefined)
        return undefined;
    const checks = Object.entries(dependentSchemas).map(([name, schema]) => {
        const check = compile(schema);
        return when(isMembers, (value, path, pass) => {
            spend(pass.call, 1);
            return !has(value, name) || check(value, path, pass);
        });
    });
    return all(checks);
}
export function checkMembers(schema, compile, readPattern) {
    const { properties, patternProperties, additionalProperties } = schema;
    if (properties === undefined && patternProperties === undefined && additionalProperties === undefined)
        return undefined;
    const own = new Map(Object.entries(properties ?? {}).map(([name, part]) => [name, compileMember(part, compile)]));
    const patterns = Object.entries(patternProperties ?? {}).map(([pattern, part]) => {
        const isMatch = readPattern(pattern);
        // A pattern that cannot be run may stand for every name.
        return isMatch === undefined
            ? { isMatch: () => true, check: leaveOpen }
            : { isMatch, check: compileMember(part, compile) };
    });
    const other = additionalProperties === undefined ? undefined : compileMember(additionalProperties, compile);
    const selectCheck = (name, call) => {
        const named = own.get(name);
        const matching = patterns.filter(({ isMatch }) => matches(isMatch, name, call)).map(({ check }) => check);
        spend(call, 1 + patterns.length);
        return all(named === undefined ? matching : [named, ...matching]) ?? other;
    };
    return checkParts(isMembers, listMembers, (name, { call }) => selectCheck(name, call));
}
function compileMember(schema, compile) {
    return schema === false ? (_, path, pass) => refuse(pass, path, extraField) : compile(schema);
}
export function checkNames({ propertyNames }, compile) {
    if (propertyNames === undefined)
        return undefined;
    const check = compile(propertyNames);
    return when(isMembers, (value, path, pass) => {
        const quiet = { ...inside(pass), failures: undefined };
        let fits = true;
        for (const name of listMembers(value, pass.call)) {
            const at = { outer: path, step: name };
            if (check(name, at, quiet))
                continue;
            fits = refuse(pass, at, extraField);
            if (!isCollecting(pass.failures))
                return false;
        }
        return fits;
    });
}
export function checkMemberCount({ minProperties, maxProperties }) {
    return all(checkCount([minProperties, maxProperties], 'fields', isMembers, (value, call) => listMembers(value, call).length));
}
/** Checks the members and items that no other part of the schema has evaluated. */
export function checkUnevaluated(schema, compile) {
    const { unevaluatedProperties, unevaluatedItems } = schema;
    const member = unevaluatedProperties === undefined ? undefined : compileMember(unevaluatedProperties, compile);
    const item = unevaluatedItems === undefined ? undefined : compile(unevaluatedItems);
    if (member === undefined && item === undefined)
        return undefined;
    const listSteps = (value, call) => {
        if (isMembers(value))
            return listMembers(value, call);
        const indexes = Object.keys(value).map(Number);
        spend(call, indexes.length);
        return indexes;
    };
    return checkParts(isContainer, listSteps, (step, { evaluated }) => {
        if (evaluated?.has(step))
            return undefined;
        return typeof step === 'string' ? member : item;
    });
}
