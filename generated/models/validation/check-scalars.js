/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { all, matches, refuse, spend, when } from './check.js';
import { isContainer } from './ids.js';
import { readKind } from './schema.js';
export function checkType({ type }) {
    if (type === undefined)
        return undefined;
    const types = typeof type === 'string' ? [type] : type;
    // That null is accepted too does not explain why another value failed.
    const others = types.length === 1 ? types : types.filter((name) => name !== 'null');
    const reason = { type: `${others.join('_or_')}_type`, msg: `must be ${types.join(' or ')}` };
    return (value, path, pass) => {
        const kind = readKind(value);
        const fits = types.includes(kind) ||
            (kind === 'number' && types.includes('integer') && (typeof value === 'bigint' || Number.isInteger(value)));
        return fits || refuse(pass, path, reason);
    };
}
export function checkEnum(schema) {
    const { enum: values } = schema;
    if (values === undefined)
        return undefined;
    const scalars = new Set(values);
    const expected = values.length === 1 ? values[0] : values;
    const reason = {
        type: values.length === 1 ? 'literal_error' : 'enum',
        msg: values.length === 1 ? 'must be the one value that is allowed' : 'must be one of the values that are allowed',
        ctx: { expected },
    };
    const containers = values.filter(isContainer);
    const isListed = (value, call) => isContainer(value)
        ? containers.length > 0 && nameValues(containers, call).has(call.ids.identify(value))
        : scalars.has(typeof value === 'bigint' ? Number(value) : value);
    return (value, path, pass) => isListed(value, pass.call) || refuse(pass, path, reason);
}
function nameValues(values, { ids, enums }) {
    const known = enums.get(values) ?? new Set(values.map((value) => ids.identify(value)));
    enums.set(values, known);
    return known;
}
const bounds = [
    ['minimum', 'ge', 'greater_than_equal', '>=', (value, limit) => value >= limit],
    ['exclusiveMinimum', 'gt', 'greater_than', '>', (value, limit) => value > limit],
    ['maximum', 'le', 'less_than_equal', '<=', (value, limit) => value <= limit],
    ['exclusiveMaximum', 'lt', 'less_than', '<', (value, limit) => value < limit],
];
export function checkNumbers(schema) {
    const checks = bounds.flatMap(([keyword, name, type, word, fits]) => {
        const bound = schema[keyword];
        if (bound === undefined)
            return [];
        const limit = typeof bound === 'string' ? BigInt(bound) : bound;
        const reason = { type, msg: `must be ${word} ${limit}`, ctx: { [name]: Number(limit) } };
        return [when(isNumber, (value, path, pass) => fits(value, limit) || refuse(pass, path, reason))];
    });
    const { multipleOf } = schema;
    if (typeof multipleOf === 'number' && multipleOf > 0) {
        const reason = {
            type: 'multiple_of',
            msg: `must be a multiple of ${multipleOf}`,
            ctx: { multiple_of: multipleOf },
        };
        checks.push(when(isNumber, (value, path, pass) => isMultiple(Number(value), multipleOf) || refuse(pass, path, reason)));
    }
    return all(checks);
}
// 0.3 is a multiple of 0.1, although the division of their doubles leaves a remainder.
function isMultiple(value, of) {
    const times = value / of;
    if (!Number.isFinite(times))
        return value % of === 0;
    return Math.abs(times - Math.round(times)) <= Math.abs(times) * 1e-12;
}
export function checkText(schema, readPattern) {
    const { minLength, maxLength, pattern, format } = schema;
    const checks = checkCount([minLength, maxLength], 'characters', isText, countCharacters);
    const isMatch = typeof pattern === 'string' ? readPattern(pattern) : undefined;
    if (isMatch !== undefined) {
        const reason = { type: 'string_pattern_mismatch', msg: `must match the pattern ${pattern}`, ctx: { pattern } };
        checks.push(when(isText, (value, path, pass) => matches(isMatch, value, pass.call) || refuse(pass, path, reason)));
    }
    else if (typeof pattern === 'string')
        checks.push(when(isText, leaveOpen));
    if (typeof format === 'string')
        checks.push(checkFormat(format));
    return all(checks);
}
const sides = [
    ['least', 'too_short', 'min_length', (count, limit) => count >= limit],
    ['most', 'too_long', 'max_length', (count, limit) => count <= limit],
];
const countedPerStep = 4;
/** Checks of the least and the greatest number of parts that a value of the type has. */
export function checkCount(bounds, noun, isOfType, count) {
    return sides.flatMap(([word, end, name, fits], side) => {
        const bound = bounds[side];
        if (typeof bound !== 'number')
            return [];
        const type = noun === 'characters' ? `string_${end}` : end;
        const reason = { type, msg: `must have at ${word} ${bound} ${noun}`, ctx: { [name]: bound } };
        return [
            when(isOfType, (value, path, pass) => {
                const found = count(value, pass.call);
                spend(pass.call, found / countedPerStep);
                return fits(found, bound) || refuse(pass, path, reason);
            }),
        ];
    });
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
function isNumber(value) {
    return typeof value === 'number' || typeof value === 'bigint';
}
function isText(value) {
    return typeof value === 'string';
}
// JSON Schema counts code points, not UTF-16 units.
function countCharacters(text) {
    let length = 0;
    for (const _ of text)
        length++;
    return length;
}
/** For a pattern that cannot be run. */
export function leaveOpen(_value, _path, { call }) {
    call.isOpen = true;
    return true;
}
