import { inside, silently } from './check.js';
import { all, readPattern } from './check-scalars.js';
import { refuse } from './failure.js';
import { has, isMembers, namesOf } from './schema.js';
const surplus = { type: 'extra_forbidden', msg: 'field is not allowed' };
const missing = { type: 'missing', msg: 'field is required' };
function ofObjects(check) {
    return (value, place, run) => !isMembers(value) || check(value, place, run);
}
export function checkRequired({ required, dependentRequired }) {
    const dependents = Object.entries(dependentRequired ?? {});
    if (required === undefined && dependents.length === 0)
        return undefined;
    return ofObjects((value, place, run) => {
        const asked = [...(required ?? []), ...dependents.flatMap(([name, others]) => (has(value, name) ? others : []))];
        let fits = true;
        for (const name of asked)
            if (!has(value, name))
                fits = refuse(run.complaints, { outer: place, step: name }, missing);
        return fits;
    });
}
export function checkDependents({ dependentSchemas }, compile) {
    if (dependentSchemas === undefined)
        return undefined;
    const checks = Object.entries(dependentSchemas).map(([name, schema]) => {
        const check = compile(schema);
        return ofObjects((value, place, run) => !has(value, name) || check(value, place, run));
    });
    return all(checks);
}
export function checkMembers(schema, compile) {
    const { properties, patternProperties, additionalProperties } = schema;
    if (properties === undefined && patternProperties === undefined && additionalProperties === undefined)
        return undefined;
    const own = new Map(Object.entries(properties ?? {}).map(([name, part]) => [name, compileMember(part, compile)]));
    const patterns = Object.entries(patternProperties ?? {}).flatMap(([pattern, part]) => {
        const expression = readPattern(pattern);
        return expression === undefined ? [] : [{ expression, check: compileMember(part, compile) }];
    });
    const other = additionalProperties === undefined ? undefined : compileMember(additionalProperties, compile);
    const checksOf = (name) => {
        const named = own.get(name);
        const matching = patterns.filter(({ expression }) => expression.test(name)).map(({ check }) => check);
        if (named !== undefined)
            return [named, ...matching];
        return matching.length > 0 || other === undefined ? matching : [other];
    };
    return ofObjects((value, place, run) => {
        const within = inside(run);
        let fits = true;
        for (const name of namesOf(value)) {
            const checks = checksOf(name);
            if (checks.length > 0)
                run.described?.names.add(name);
            // Each is asked, so that each can complain.
            if (checks.filter((check) => !check(value[name], { outer: place, step: name }, within)).length > 0)
                fits = false;
        }
        return fits;
    });
}
function compileMember(schema, compile) {
    return schema === false ? (_, place, run) => refuse(run.complaints, place, surplus) : compile(schema);
}
export function checkNames({ propertyNames }, compile) {
    if (propertyNames === undefined)
        return undefined;
    const check = compile(propertyNames);
    return ofObjects((value, place, run) => {
        let fits = true;
        for (const name of namesOf(value)) {
            if (!check(name, place, silently(inside(run))))
                fits = refuse(run.complaints, { outer: place, step: name }, surplus);
        }
        return fits;
    });
}
export function checkMemberCount({ minProperties, maxProperties }) {
    const checks = [];
    if (typeof minProperties === 'number') {
        const reason = {
            type: 'too_short',
            msg: `must have at least ${minProperties} fields`,
            ctx: { min_length: minProperties },
        };
        checks.push(ofObjects((value, place, run) => namesOf(value).length >= minProperties || refuse(run.complaints, place, reason)));
    }
    if (typeof maxProperties === 'number') {
        const reason = {
            type: 'too_long',
            msg: `must have at most ${maxProperties} fields`,
            ctx: { max_length: maxProperties },
        };
        checks.push(ofObjects((value, place, run) => namesOf(value).length <= maxProperties || refuse(run.complaints, place, reason)));
    }
    return all(checks);
}
/** Judges what no other part of the schema has described. */
export function checkUndescribedMembers({ unevaluatedProperties }, compile) {
    if (unevaluatedProperties === undefined)
        return undefined;
    const check = compileMember(unevaluatedProperties, compile);
    return ofObjects((value, place, run) => {
        let fits = true;
        for (const name of namesOf(value)) {
            if (run.described?.names.has(name))
                continue;
            run.described?.names.add(name);
            if (!check(value[name], { outer: place, step: name }, inside(run)))
                fits = false;
        }
        return fits;
    });
}
