/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { addEvaluated, all, applyVerdict, checkParts, decide, inside, isCollecting, listMembers, matches, NestedTooDeeply, refuse, spend, when, } from './check.js';
import { explain } from './explain-branches.js';
import { has, isContainer, isMembers, listNames, readKind } from './schema.js';
const isNumber = (value) => typeof value === 'number' || typeof value === 'bigint';
const isText = (value) => typeof value === 'string';
const isArray = Array.isArray;
const checkType = ({ type }) => {
    if (type === undefined)
        return undefined;
    const types = typeof type === 'string' ? [type] : type;
    // Accepting null as well doesn't explain why another value failed.
    const others = types.length === 1 ? types : types.filter((name) => name !== 'null');
    const reason = { type: `${others.join('_or_')}_type`, msg: `must be ${types.join(' or ')}` };
    return (value, path, pass) => {
        const isInteger = typeof value === 'bigint' || Number.isInteger(value);
        return types.includes(readKind(value)) || (isInteger && types.includes('integer')) || refuse(pass, path, reason);
    };
};
const checkEnum = ({ enum: values }) => {
    if (values === undefined)
        return undefined;
    const isOne = values.length === 1;
    const msg = isOne ? 'must be the one value that is allowed' : 'must be one of the values that are allowed';
    const reason = { type: isOne ? 'literal_error' : 'enum', msg, ctx: { expected: isOne ? values[0] : values } };
    const scalars = new Set(values);
    const containers = new Set(values.flatMap((value) => (isContainer(value) ? [identify(value)] : [])));
    const isListed = (value, call) => {
        if (!isContainer(value))
            return scalars.has(typeof value === 'bigint' ? Number(value) : value);
        return containers.size > 0 && containers.has(identify(value, call));
    };
    return (value, path, pass) => isListed(value, pass.call) || refuse(pass, path, reason);
};
/** In characters. */
const comparedPerStep = 16;
/** Returns the same text for equal arrays or objects, whatever the order of members. */
function identify(value, call) {
    const normalise = (_, part) => {
        // An integer that a double would round differs from every number.
        if (typeof part === 'bigint')
            return BigInt(Number(part)) === part ? Number(part) : `integer ${part}`;
        return isMembers(part)
            ? Object.fromEntries(listNames(part)
                .sort()
                .map((name) => [name, part[name]]))
            : part;
    };
    let text;
    try {
        text = JSON.stringify(value, normalise);
    }
    catch {
        throw new NestedTooDeeply(); // Nested more deeply than JSON.stringify supports, or contains itself.
    }
    if (call !== undefined)
        spend(call, text.length / comparedPerStep);
    return text;
}
const bounds = [
    ['minimum', 'ge', 'greater_than_equal', '>=', (value, limit) => value >= limit],
    ['exclusiveMinimum', 'gt', 'greater_than', '>', (value, limit) => value > limit],
    ['maximum', 'le', 'less_than_equal', '<=', (value, limit) => value <= limit],
    ['exclusiveMaximum', 'lt', 'less_than', '<', (value, limit) => value < limit],
];
const checkNumbers = (schema) => {
    const checks = bounds.flatMap(([keyword, name, type, word, fits]) => {
        const bound = schema[keyword];
        if (bound === undefined)
            return [];
        const limit = typeof bound === 'string' ? BigInt(bound) : bound;
        const reason = { type, msg: `must be ${word} ${limit}`, ctx: { [name]: Number(limit) } };
        return [when(isNumber, (value, path, pass) => fits(value, limit) || refuse(pass, path, reason))];
    });
    const { multipleOf } = schema;
    if (multipleOf === undefined || multipleOf <= 0)
        return all(checks);
    const reason = { type: 'multiple_of', msg: `must be a multiple of ${multipleOf}`, ctx: { multiple_of: multipleOf } };
    const check = when(isNumber, (value, path, pass) => isMultiple(Number(value), multipleOf) || refuse(pass, path, reason));
    return all([...checks, check]);
};
// Treats 0.3 as a multiple of 0.1, although the division of the doubles leaves a remainder.
function isMultiple(value, of) {
    const times = value / of;
    if (!Number.isFinite(times))
        return value % of === 0;
    return Math.abs(times - Math.round(times)) <= Math.abs(times) * 1e-12;
}
const countedPerStep = 4;
/** Checks the minimum and maximum number of parts of values of one type. */
function checkCount([least, greatest], noun, isOfType, count) {
    const check = (word, end, bound, fits) => {
        if (bound === undefined)
            return [];
        const type = noun === 'characters' ? `string_too_${end}` : `too_${end}`;
        const ctx = { [word === 'least' ? 'min_length' : 'max_length']: bound };
        const reason = { type, msg: `must have at ${word} ${bound} ${noun}`, ctx };
        return [
            when(isOfType, (value, path, pass) => {
                const found = count(value, pass.call);
                spend(pass.call, found / countedPerStep);
                return fits(found, bound) || refuse(pass, path, reason);
            }),
        ];
    };
    return [
        ...check('least', 'short', least, (found, bound) => found >= bound),
        ...check('most', 'long', greatest, (found, bound) => found <= bound),
    ];
}
const checkText = ({ minLength, maxLength, pattern, format }, { readPattern }) => {
    const checks = checkCount([minLength, maxLength], 'characters', isText, countCharacters);
    if (pattern !== undefined) {
        const isMatch = readPattern(pattern);
        const reason = { type: 'string_pattern_mismatch', msg: `must match the pattern ${pattern}`, ctx: { pattern } };
        const check = isMatch === undefined
            ? leaveOpen
            : (text, path, pass) => matches(isMatch, text, pass.call) || refuse(pass, path, reason);
        checks.push(when(isText, check));
    }
    if (format !== undefined)
        checks.push(checkFormat(format));
    return all(checks);
};
// JSON Schema counts code points, not UTF-16 units.
function countCharacters(text) {
    let length = 0;
    for (const _ of text)
        length++;
    return length;
}
// A format is an annotation unless the caller passes a check for it.
function checkFormat(format) {
    const reason = { type: 'format', msg: `must be of the format ${format}`, ctx: { format } };
    return when(isText, (value, path, pass) => {
        const { formats = {} } = pass.call;
        const fits = Object.hasOwn(formats, format) ? formats[format] : undefined;
        if (fits === undefined)
            return true;
        spend(pass.call, value.length / countedPerStep);
        return fits(value) || refuse(pass, path, reason);
    });
}
/** Accepts any value for a pattern that can't be run, because the server checks it. */
function leaveOpen(_value, _path, { call }) {
    call.isOpen = true;
    return true;
}
const extraField = { type: 'extra_forbidden', msg: 'field is not allowed' };
const missing = { type: 'missing', msg: 'field is required' };
const checkRequired = ({ required, dependentRequired }) => {
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
};
const checkDependents = ({ dependentSchemas = {} }, { compile }) => all(Object.entries(dependentSchemas).map(([name, schema]) => {
    const check = compile(schema);
    return when(isMembers, (value, path, pass) => {
        spend(pass.call, 1);
        return !has(value, name) || check(value, path, pass);
    });
}));
const checkMembers = (schema, { compile, readPattern }) => {
    const { properties, patternProperties, additionalProperties } = schema;
    if ((properties ?? patternProperties ?? additionalProperties) === undefined)
        return undefined;
    const compileMember = (part) => (part === false ? refuseField : compile(part));
    const own = new Map(Object.entries(properties ?? {}).map(([name, part]) => [name, compileMember(part)]));
    const patterns = Object.entries(patternProperties ?? {}).map(([pattern, part]) => {
        const isMatch = readPattern(pattern);
        // A pattern that can't be run may match every name.
        return isMatch === undefined ? { isMatch: () => true, check: leaveOpen } : { isMatch, check: compileMember(part) };
    });
    const other = additionalProperties === undefined ? undefined : compileMember(additionalProperties);
    return checkParts(isMembers, listMembers, (name, { call }) => {
        const named = own.get(name);
        const matching = patterns.filter(({ isMatch }) => matches(isMatch, name, call)).map(({ check }) => check);
        spend(call, 1 + patterns.length);
        return all(named === undefined ? matching : [named, ...matching]) ?? other;
    });
};
const refuseField = (_, path, pass) => refuse(pass, path, extraField);
const checkNames = ({ propertyNames }, { compile }) => {
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
};
const checkMemberCount = ({ minProperties, maxProperties }) => all(checkCount([minProperties, maxProperties], 'fields', isMembers, (value, call) => listMembers(value, call).length));
const checkItems = ({ prefixItems = [], items }, { compile }) => {
    if (prefixItems.length === 0 && items === undefined)
        return undefined;
    const first = prefixItems.map(compile);
    const rest = items === undefined ? undefined : compile(items);
    const listIndexes = (value, call) => {
        const length = rest === undefined ? Math.min(first.length, value.length) : value.length;
        spend(call, length);
        return Array(length).keys();
    };
    return checkParts(isArray, listIndexes, (index) => first[index] ?? rest);
};
const checkLength = ({ minItems, maxItems, uniqueItems }) => {
    const checks = checkCount([minItems, maxItems], 'items', isArray, (items) => items.length);
    const reason = { type: 'unique_items', msg: 'must not have the same item twice' };
    if (uniqueItems === true)
        checks.push(when(isArray, (value, path, pass) => !hasDuplicates(value, pass) || refuse(pass, path, reason)));
    return all(checks);
};
function hasDuplicates(items, { call }) {
    const seen = new Set();
    spend(call, items.length);
    for (const item of items) {
        if (typeof item === 'string')
            spend(call, item.length / comparedPerStep);
        // Quoted, so that a text never equals the id of an object.
        const key = isContainer(item) ? identify(item, call) : typeof item === 'string' ? `"${item}` : item;
        if (seen.has(key))
            return true;
        seen.add(key);
    }
    return false;
}
const checkContains = (schema, { compile }) => {
    const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = schema;
    if (contains === undefined)
        return undefined;
    const check = compile(contains);
    const reason = { type: 'contains', msg: 'must have the items that are asked for' };
    return when(isArray, (value, path, pass) => {
        const within = inside(pass);
        spend(pass.call, value.length);
        const counts = { yes: 0, open: 0, no: 0 };
        for (const [index, item] of value.entries()) {
            const { fits } = decide(check, item, { outer: path, step: index }, within);
            counts[fits] += 1;
            if (fits !== 'no')
                pass.evaluated?.add(index);
        }
        if (counts.yes > maxContains || counts.yes + counts.open < minContains)
            return refuse(pass, path, reason);
        if (counts.yes < minContains || counts.yes + counts.open > maxContains)
            pass.call.isOpen = true;
        return true;
    });
};
const checkAllOf = ({ allOf }, { compile }) => allOf === undefined ? undefined : (all(allOf.map((schema) => isolate(compile(schema)))) ?? (() => true));
const checkAnyOf = ({ anyOf }, compiling) => {
    if (anyOf === undefined)
        return undefined;
    const branches = compileBranches(anyOf, compiling);
    return (value, path, pass) => {
        const wasOpen = pass.call.isOpen;
        let fits = 'no';
        for (const { check } of branches) {
            const verdict = decide(check, value, path, pass);
            applyVerdict(verdict, pass);
            if (verdict.fits === 'yes' || fits === 'no')
                fits = verdict.fits;
            // For `unevaluated…`, every matching branch adds the members that it evaluates.
            if (fits === 'yes' && pass.evaluated === undefined)
                break;
        }
        if (fits === 'yes')
            pass.call.isOpen = wasOpen;
        return fits !== 'no' || explain(branches, compiling.definitions, value, path, pass);
    };
};
const checkOneOf = ({ oneOf }, compiling) => {
    if (oneOf === undefined)
        return undefined;
    const branches = compileBranches(oneOf, compiling);
    return (value, path, pass) => {
        const matching = branches.map(({ check }) => decide(check, value, path, pass)).filter(({ fits }) => fits !== 'no');
        if (matching.length === 0)
            return explain(branches, compiling.definitions, value, path, pass);
        const sure = matching.filter(({ fits }) => fits === 'yes').length;
        if (sure > 1) {
            const msg = `must match exactly one of the alternatives; it matches ${sure}`;
            return refuse(pass, path, { type: 'union_mismatch', msg });
        }
        for (const verdict of matching)
            applyVerdict(verdict, pass);
        return true;
    };
};
const compileBranches = (schemas, { compile }) => schemas.map((schema) => ({ schema, check: compile(schema) }));
const checkNot = ({ not }, { compile }) => {
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
};
const checkConditional = (schema, { compile }) => {
    if (schema.if === undefined)
        return undefined;
    const test = compile(schema.if);
    const [yes, no] = [schema.then, schema.else].map((part = true) => isolate(compile(part)));
    return (value, path, pass) => {
        const verdict = decide(test, value, path, pass);
        applyVerdict(verdict, pass);
        return verdict.fits === 'open' || (verdict.fits === 'yes' ? yes : no)?.(value, path, pass) !== false;
    };
};
/** Only adds the evaluated members if the check passes. */
function isolate(check) {
    return (value, path, pass) => {
        if (pass.evaluated === undefined)
            return check(value, path, pass);
        const evaluated = new Set();
        const fits = check(value, path, { ...pass, evaluated });
        // Don't report members as unknown if their failures are already reported.
        if (fits || pass.failures !== undefined)
            addEvaluated(pass, evaluated);
        return fits;
    };
}
const checkReference = ({ $ref }, { follow }) => ($ref === undefined ? undefined : follow($ref));
/** In order of precedence: only the first failure of a field is reported, and `enum` explains more than `type`. */
export const keywords = [
    ...[checkEnum, checkType, checkNumbers, checkText, checkRequired, checkMembers, checkNames, checkMemberCount],
    ...[checkItems, checkLength, checkContains, checkReference],
    ...[checkAllOf, checkAnyOf, checkOneOf, checkNot, checkConditional, checkDependents],
];
/** Checks the members and items that no other part of the schema has evaluated. */
export const checkUnevaluated = ({ unevaluatedProperties, unevaluatedItems }, { compile }) => {
    if ((unevaluatedProperties ?? unevaluatedItems) === undefined)
        return undefined;
    const member = unevaluatedProperties === false ? refuseField : compile(unevaluatedProperties ?? true);
    const item = compile(unevaluatedItems ?? true);
    const listSteps = (value, call) => {
        if (isMembers(value))
            return listMembers(value, call);
        spend(call, Object.keys(value).length);
        return Object.keys(value).map(Number);
    };
    return checkParts(isContainer, listSteps, (step, { evaluated }) => {
        if (evaluated?.has(step))
            return undefined;
        return typeof step === 'string' ? member : item;
    });
};
