/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { addEvaluated, addFailure, checkAll, checkIfType, checkParts, fails, hasMember, isCollecting, isContainer, isObject, listMembers, listNames, matchPattern, mayPass, NestedTooDeeply, passes, passIf, spend, withoutEvaluated, } from './check.js';
const isNumber = (value) => typeof value === 'number' || typeof value === 'bigint';
const isText = (value) => typeof value === 'string';
const isArray = Array.isArray;
function readKind(value) {
    if (value === null)
        return 'null';
    if (Array.isArray(value))
        return 'array';
    if (isNumber(value))
        return typeof value === 'bigint' || Number.isFinite(value) ? 'number' : 'other';
    return ['boolean', 'string', 'object'].includes(typeof value) ? typeof value : 'other';
}
const checkType = ({ type }) => {
    if (type === undefined)
        return undefined;
    const types = typeof type === 'string' ? [type] : type;
    // Omit null from the failure's type, because it doesn't explain why a different value failed.
    const others = types.length === 1 ? types : types.filter((name) => name !== 'null');
    const reason = { type: `${others.join('_or_')}_type`, msg: `must be ${types.join(' or ')}` };
    return (value, path, pass) => {
        const isInteger = typeof value === 'bigint' || Number.isInteger(value);
        const isListed = types.includes(readKind(value)) || (isInteger && types.includes('integer'));
        return passIf(isListed, pass, path, reason);
    };
};
const checkEnum = ({ enum: values }) => {
    if (values === undefined)
        return undefined;
    const isOne = values.length === 1;
    const msg = isOne ? 'must be the only allowed value' : 'must be one of the allowed values';
    const reason = { type: isOne ? 'literal_error' : 'enum', msg, ctx: { expected: isOne ? values[0] : values } };
    const scalars = new Set(values);
    const containers = new Set(values.flatMap((value) => (isContainer(value) ? [toComparableText(value)] : [])));
    const isListed = (value, call) => {
        if (!isContainer(value))
            return scalars.has(typeof value === 'bigint' ? Number(value) : value);
        return containers.size > 0 && containers.has(toComparableText(value, call));
    };
    return (value, path, pass) => passIf(isListed(value, pass.call), pass, path, reason);
};
/** Returns the same text for equal arrays or objects, regardless of the order of members. */
function toComparableText(value, call) {
    const normalise = (_, part) => {
        // An integer that a double would round differs from every number.
        if (typeof part === 'bigint')
            return BigInt(Number(part)) === part ? Number(part) : `integer ${part}`;
        if (!isObject(part))
            return part;
        const names = listNames(part).sort();
        return Object.fromEntries(names.map((name) => [name, part[name]]));
    };
    let text;
    try {
        text = JSON.stringify(value, normalise);
    }
    catch {
        throw new NestedTooDeeply(); // Nested more deeply than JSON.stringify supports, or contains itself.
    }
    if (call !== undefined)
        spend(call, text.length / 16);
    return text;
}
const toNumber = (value) => (isNumber(value) ? value : undefined);
const countCharacters = countParts(isText, (text) => {
    let length = 0;
    for (const _ of text)
        length++; // JSON Schema counts code points, not UTF-16 units.
    return length;
});
const countItems = countParts(isArray, (items) => items.length);
const countMembers = countParts(isObject, (members, call) => listMembers(members, call).length);
function countParts(isOfType, count) {
    return (value, call) => {
        if (!isOfType(value))
            return undefined;
        const size = count(value, call);
        spend(call, size / 4);
        return size;
    };
}
const isAtLeast = (value, bound) => value >= bound;
const isAtMost = (value, bound) => value <= bound;
const bounds = [
    ['minimum', toNumber, isAtLeast, 'greater_than_equal', 'ge', 'must be >= #'],
    ['exclusiveMinimum', toNumber, (value, bound) => value > bound, 'greater_than', 'gt', 'must be > #'],
    ['maximum', toNumber, isAtMost, 'less_than_equal', 'le', 'must be <= #'],
    ['exclusiveMaximum', toNumber, (value, bound) => value < bound, 'less_than', 'lt', 'must be < #'],
    ['minLength', countCharacters, isAtLeast, 'string_too_short', 'min_length', 'must have at least # characters'],
    ['maxLength', countCharacters, isAtMost, 'string_too_long', 'max_length', 'must have at most # characters'],
    ['minItems', countItems, isAtLeast, 'too_short', 'min_length', 'must have at least # items'],
    ['maxItems', countItems, isAtMost, 'too_long', 'max_length', 'must have at most # items'],
    ['minProperties', countMembers, isAtLeast, 'too_short', 'min_length', 'must have at least # fields'],
    ['maxProperties', countMembers, isAtMost, 'too_long', 'max_length', 'must have at most # fields'],
];
const checkBounds = (schema) => checkAll(bounds.flatMap(([keyword, measure, isWithin, type, name, msg]) => {
    const bound = schema[keyword];
    if (bound === undefined)
        return [];
    const limit = typeof bound === 'string' ? BigInt(bound) : bound;
    const reason = { type, msg: msg.replace('#', String(limit)), ctx: { [name]: Number(limit) } };
    const check = (value, path, pass) => {
        const measured = measure(value, pass.call);
        return passIf(measured === undefined || isWithin(measured, limit), pass, path, reason);
    };
    return [check];
}));
const checkMultiple = ({ multipleOf = 0 }) => {
    if (multipleOf <= 0)
        return undefined;
    const reason = { type: 'multiple_of', msg: `must be a multiple of ${multipleOf}`, ctx: { multiple_of: multipleOf } };
    const isMultiple = (value) => {
        const times = value / multipleOf;
        if (!Number.isFinite(times))
            return value % multipleOf === 0;
        // 0.3 is a multiple of 0.1, although the division of the doubles leaves a remainder.
        return Math.abs(times - Math.round(times)) <= Math.abs(times) * 1e-12;
    };
    return checkIfType(isNumber, (value, path, pass) => passIf(isMultiple(Number(value)), pass, path, reason));
};
const checkPattern = ({ pattern }, { readPattern }) => {
    if (pattern === undefined)
        return undefined;
    const isMatch = readPattern(pattern);
    const reason = { type: 'string_pattern_mismatch', msg: `must match the pattern ${pattern}`, ctx: { pattern } };
    return checkIfType(isText, (text, path, pass) => matchPattern(isMatch, text, pass.call) || addFailure(pass, path, reason));
};
/** A format is an annotation unless the caller passes a check for it. */
const checkFormat = ({ format }) => {
    if (format === undefined)
        return undefined;
    const reason = { type: 'format', msg: `must have the format ${format}`, ctx: { format } };
    return checkIfType(isText, (text, path, pass) => {
        const { formats = {} } = pass.call;
        const hasFormat = Object.hasOwn(formats, format) ? formats[format] : undefined;
        if (hasFormat === undefined)
            return passes;
        spend(pass.call, text.length / 4);
        return passIf(hasFormat(text), pass, path, reason);
    });
};
const extraField = { type: 'extra_forbidden', msg: 'field is not allowed' };
const missingFailure = { type: 'missing', msg: 'field is required' };
const checkRequired = ({ required, dependentRequired }) => {
    const dependents = Object.entries(dependentRequired ?? {});
    if (required === undefined && dependents.length === 0)
        return undefined;
    return checkIfType(isObject, (value, path, pass) => {
        const needed = dependents.filter(([name]) => hasMember(value, name)).flatMap(([, others]) => others);
        const names = [...(required ?? []), ...needed];
        spend(pass.call, dependents.length + names.length);
        let verdict = passes;
        for (const name of names)
            if (!hasMember(value, name))
                verdict = addFailure(pass, { outer: path, step: name }, missingFailure);
        return verdict;
    });
};
const checkDependents = ({ dependentSchemas = {} }, { compile }) => checkAll(Object.entries(dependentSchemas).map(([name, schema]) => {
    const check = compile(schema);
    return checkIfType(isObject, (value, path, pass) => {
        spend(pass.call, 1);
        return hasMember(value, name) ? check(value, path, pass) : passes;
    });
}));
const checkMembers = (schema, { compile, readPattern }) => {
    const { properties, patternProperties, additionalProperties } = schema;
    if ((properties ?? patternProperties ?? additionalProperties) === undefined)
        return undefined;
    const compileMember = (part) => (part === false ? refuseField : compile(part));
    const checksByName = new Map(Object.entries(properties ?? {}).map(([name, part]) => [name, compileMember(part)]));
    const patterns = Object.entries(patternProperties ?? {}).map(([pattern, part]) => {
        return { isMatch: readPattern(pattern), check: compileMember(part) };
    });
    const other = additionalProperties === undefined ? undefined : compileMember(additionalProperties);
    return checkParts(isObject, listMembers, (name, { call }) => {
        const ownCheck = checksByName.get(name);
        const checks = ownCheck === undefined ? [] : [ownCheck];
        spend(call, 1 + patterns.length);
        for (const { isMatch, check } of patterns) {
            const verdict = matchPattern(isMatch, name, call);
            if (verdict !== fails)
                checks.push(verdict === passes ? check : () => mayPass);
        }
        return checkAll(checks) ?? other;
    });
};
const refuseField = (_, path, pass) => addFailure(pass, path, extraField);
const checkNames = ({ propertyNames }, { compile }) => {
    if (propertyNames === undefined)
        return undefined;
    const check = compile(propertyNames);
    return checkIfType(isObject, (value, path, pass) => {
        let verdict = passes;
        for (const name of listMembers(value, pass.call)) {
            const at = { outer: path, step: name };
            const part = checkQuietly(check, name, at, withoutEvaluated(pass)) || addFailure(pass, at, extraField);
            if (part < verdict)
                verdict = part;
        }
        return verdict;
    });
};
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
const checkUnique = ({ uniqueItems }) => {
    if (uniqueItems !== true)
        return undefined;
    const reason = { type: 'unique_items', msg: 'must not contain duplicate items' };
    return checkIfType(isArray, (value, path, pass) => passIf(!hasDuplicates(value, pass), pass, path, reason));
};
function hasDuplicates(items, { call }) {
    const seen = new Set();
    spend(call, items.length);
    for (const item of items) {
        if (typeof item === 'string')
            spend(call, item.length / 16);
        // Quoted, so that a text never equals the id of an object.
        const key = isContainer(item) ? toComparableText(item, call) : typeof item === 'string' ? `"${item}` : item;
        if (seen.has(key))
            return true;
        seen.add(key);
    }
    return false;
}
const checkContains = (schema, { compile }) => {
    const { contains, minContains = 1, maxContains = Infinity } = schema;
    if (contains === undefined)
        return undefined;
    const check = compile(contains);
    const reason = { type: 'contains', msg: 'must contain the required items' };
    return checkIfType(isArray, (value, path, pass) => {
        const within = withoutEvaluated(pass);
        spend(pass.call, value.length);
        let [matching, possible] = [0, 0];
        for (const [index, item] of value.entries()) {
            const verdict = checkQuietly(check, item, { outer: path, step: index }, within);
            if (verdict === fails)
                continue;
            pass.evaluated?.add(index);
            possible += 1;
            if (verdict === passes)
                matching += 1;
        }
        if (matching > maxContains || possible < minContains)
            return addFailure(pass, path, reason);
        return matching < minContains || possible > maxContains ? mayPass : passes;
    });
};
const checkReference = ({ $ref }, { follow }) => ($ref === undefined ? undefined : follow($ref));
const checkAllOf = ({ allOf = [] }, { compile }) => checkAll(allOf.map(compile));
const checkAnyOf = ({ anyOf }, context) => {
    if (anyOf === undefined)
        return undefined;
    const checks = anyOf.map(context.compile);
    const explain = compileExplanation(anyOf, checks, context);
    return (value, path, pass) => {
        let verdict = fails;
        for (const check of checks) {
            const branch = checkQuietly(check, value, path, pass);
            if (branch > verdict)
                verdict = branch;
            // For `unevaluated…`, every matching branch adds the members that it evaluates.
            if (verdict === passes && pass.evaluated === undefined)
                break;
        }
        return verdict === fails ? explain(value, path, pass) : verdict;
    };
};
const checkOneOf = ({ oneOf }, context) => {
    if (oneOf === undefined)
        return undefined;
    const checks = oneOf.map(context.compile);
    const explain = compileExplanation(oneOf, checks, context);
    return (value, path, pass) => {
        const verdicts = checks.map((check) => checkQuietly(check, value, path, pass));
        const matching = verdicts.filter((verdict) => verdict === passes).length;
        if (matching > 1) {
            const msg = `must match exactly one of the alternatives; it matches ${matching}`;
            return addFailure(pass, path, { type: 'union_mismatch', msg });
        }
        if (verdicts.includes(mayPass))
            return mayPass;
        return matching === 1 ? passes : explain(value, path, pass);
    };
};
const checkNot = ({ not }, { compile }) => {
    if (not === undefined)
        return undefined;
    const check = compile(not);
    const reason = { type: 'not_allowed', msg: 'must not match the excluded schema' };
    return (value, path, pass) => {
        const verdict = checkQuietly(check, value, path, withoutEvaluated(pass));
        return verdict === mayPass ? mayPass : passIf(verdict === fails, pass, path, reason);
    };
};
const checkConditional = (schema, { compile }) => {
    if (schema.if === undefined)
        return undefined;
    const test = compile(schema.if);
    const ifPassed = compile(schema.then ?? true);
    const ifFailed = compile(schema.else ?? true);
    return (value, path, pass) => {
        const verdict = checkQuietly(test, value, path, pass);
        if (verdict === mayPass)
            return mayPass;
        return (verdict === passes ? ifPassed : ifFailed)(value, path, pass);
    };
};
/** Checks a value that may fail: collects no failures, and only adds evaluated members if the value passes. */
function checkQuietly(check, value, path, pass) {
    const quiet = pass.failures === undefined ? pass : { ...pass, failures: undefined };
    if (pass.evaluated === undefined)
        return check(value, path, quiet);
    const evaluated = new Set();
    const verdict = check(value, path, { ...quiet, evaluated });
    if (verdict !== fails)
        addEvaluated(pass, evaluated);
    return verdict;
}
/**
 * Returns a check that adds the failures of the alternative that was probably intended. If there are several, it adds a
 * missing member that all of them require, or one failure with all alternatives.
 */
function compileExplanation(schemas, checks, context) {
    const branches = checks.map((check, index) => {
        const resolved = resolveReference(schemas[index] ?? true, context);
        const { type, required = [] } = Object(resolved);
        return { type, required, check, outline: context.compile(pickTypeAndConstants(resolved)) };
    });
    const others = branches.filter(({ type }) => type !== 'null');
    const alternatives = schemas.slice(0, 8).map((schema) => describeAlternative(schema, context));
    const rest = schemas.length > alternatives.length ? `, and ${schemas.length - alternatives.length} more` : '';
    const msg = `must match one of the alternatives: ${alternatives.join(', ')}${rest}`;
    const mismatch = { type: 'union_mismatch', msg, ctx: { alternatives } };
    return (value, path, pass) => {
        if (!isCollecting(pass.failures))
            return fails;
        const isIntended = (branch) => others.length === 1 || checkQuietly(branch.outline, value, path, withoutEvaluated(pass)) !== fails;
        const [intended, ...more] = others.filter(isIntended);
        if (intended !== undefined && more.length === 0)
            return intended.check(value, path, pass);
        const isLacking = (name) => isObject(value) && !hasMember(value, name) && more.every(({ required }) => required.includes(name));
        const lacking = intended?.required.find(isLacking); // For example the discriminator.
        if (lacking !== undefined)
            return addFailure(pass, { outer: path, step: lacking }, missingFailure);
        return addFailure(pass, path, mismatch);
    };
}
/** Follows one reference. Definitions may refer to each other in circles. */
function resolveReference(schema, { findDefinition }) {
    return typeof schema === 'object' && schema.$ref !== undefined ? findDefinition(schema.$ref) : schema;
}
/** Returns the part of an alternative that shows whether it was intended: its type, its values, and its members with a single value. */
function pickTypeAndConstants(schema) {
    if (typeof schema === 'boolean')
        return schema;
    const { type, enum: values, properties } = schema;
    return { ...(type && { type }), ...(values && { enum: values }), properties: pickLiteralMembers(properties) };
}
/** Returns the members that have a single value, such as the discriminator of a union. */
function pickLiteralMembers(members = {}) {
    const isLiteral = (member) => typeof member === 'object' && member.enum?.length === 1;
    return Object.fromEntries(Object.entries(members).filter(([, member]) => isLiteral(member)));
}
function describeAlternative(schema, context) {
    const resolved = Object(resolveReference(schema, context));
    const { title, enum: values, type = 'another schema', properties, required } = resolved;
    const literals = Object.entries(pickLiteralMembers(properties));
    let text = [type].flat().join(' | ');
    if (required !== undefined)
        text = `object with ${required.join(', ')}`;
    if (literals.length > 0)
        text = `{ ${literals.map(([name, literal]) => `${name}: ${describeAlternative(literal, context)}`).join(', ')} }`;
    if (values !== undefined)
        text = values.map((value) => JSON.stringify(value)).join(' | ');
    text = Object(schema).title ?? title ?? text;
    return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
/** In order of precedence: only the first failure of a field is reported, and `enum` explains more than `type`. */
export const keywords = [
    ...[checkEnum, checkType, checkBounds, checkMultiple, checkPattern, checkFormat],
    ...[checkRequired, checkMembers, checkNames, checkItems, checkUnique, checkContains, checkReference],
    ...[checkAllOf, checkAnyOf, checkOneOf, checkNot, checkConditional, checkDependents],
];
/** Checks the members and items that no other part of the schema has evaluated. */
export const checkUnevaluated = ({ unevaluatedProperties, unevaluatedItems }, { compile }) => {
    if ((unevaluatedProperties ?? unevaluatedItems) === undefined)
        return undefined;
    const member = unevaluatedProperties === false ? refuseField : compile(unevaluatedProperties ?? true);
    const item = compile(unevaluatedItems ?? true);
    const listSteps = (value, call) => {
        if (isObject(value))
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
