/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { failAnswered, refuse } from './failures.js';
import { readCategory } from './response-facts.js';
/** The body of a run. An input that JSON would change is refused: the run would be another one, and billed. */
export function printInput(input, identity) {
    let lost;
    let text;
    const large = [];
    const mark = `integer ${Math.random().toString(36).slice(2)} `;
    try {
        lost = findLost(input, 'input', large);
        // A `bigint` is written as the integer that it is.
        const replace = (_, value) => typeof value === 'bigint' ? `${mark}${large.push(value.toString()) - 1}` : value;
        text = JSON.stringify(input, large.splice(0).length > 0 ? replace : undefined);
    }
    catch (cause) {
        throw refuse(identity, 'the input cannot be written as JSON', cause);
    }
    if (lost !== undefined)
        throw refuse(identity, `${lost}, which JSON cannot hold; toDataUrl makes text of a file`);
    if (!text?.startsWith('{'))
        throw refuse(identity, 'an input is a JSON object');
    if (large.length === 0)
        return text;
    return text.replace(new RegExp(`"${mark}(\\d+)"`, 'g'), (_, index) => large[index] ?? '');
}
/** Names the part of a value that JSON cannot hold. The result of a `toJSON` is intended. Each `bigint` is added to `large`. */
function findLost(value, path, large) {
    if (typeof value === 'number' && !Number.isFinite(value))
        return `${path} is ${value}`;
    const own = Object(value);
    const isMeant = typeof own.toJSON === 'function' && !ArrayBuffer.isView(value);
    const written = isMeant ? own.toJSON?.() : value;
    if (typeof written === 'bigint')
        large.push('');
    const kind = Object.prototype.toString.call(written).slice(8, -1);
    if (!isMeant && !/^(Object|Array|String|Number|BigInt|Boolean|Null)$/.test(kind))
        return `${path} is of the kind ${kind}`;
    if (typeof written !== 'object' || written === null)
        return undefined;
    const parts = Array.isArray(written)
        ? Array.from(written, (part, index) => findLost(part, `${path}[${index}]`, large))
        : Object.entries(written).map(([name, part]) => part === undefined ? part : findLost(part, `${path}.${name}`, large));
    return parts.find((lost) => lost !== undefined);
}
/** With a `bigint` where a double would round the integer, on platforms that give the text of a number. */
function parseSent(sent) {
    if (!/\d{16}/.test(sent))
        return JSON.parse(sent);
    return JSON.parse(sent, (_, value, { source = '' } = {}) => typeof value === 'number' && /^-?\d{16,}$/.test(source) ? BigInt(source) : value);
}
/** Refuses what the service would refuse, with the same error. */
export function refuseInvalid(sent, validate, identity) {
    if (typeof validate !== 'function')
        throw refuse(identity, 'validate must be the function validateInput of the model');
    const result = validate(parseSent(sent));
    if (result.valid)
        return;
    const answered = {
        status: 422,
        body: { kind: 'json', value: { detail: result.detail } },
        category: readCategory('', 'invalid_input', String),
        facts: { replayed: false },
    };
    throw failAnswered({ ...identity, inputAuthored: true }, answered, { redact: String, attempts: 0 });
}
