/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { failAnswered, refuse } from './failures.js';
import { readCategory } from './response-facts.js';
/**
 * Returns the body of a run. Rejects an input that JSON would change, because that would be another run, and billed.
 */
export function printInput(input, identity) {
    const mark = `integer ${Math.random()} `;
    const integers = [];
    const paths = new Map();
    let lost;
    let text;
    function replace(name, value) {
        const outer = paths.get(this);
        const path = outer === undefined ? 'input' : outer + (Array.isArray(this) ? `[${name}]` : `.${name}`);
        if (typeof value === 'object')
            paths.set(value, path);
        const given = Reflect.get(this, name);
        // The result of a `toJSON` is intended, except for Node's Buffer.
        const isMeant = typeof Object(given).toJSON === 'function' && !ArrayBuffer.isView(given);
        const kind = Object.prototype.toString.call(given).slice(8, -1);
        const isLeftOut = given === undefined && !Array.isArray(this);
        if (typeof value === 'number' && !Number.isFinite(value))
            lost ??= `${path} is ${value}`;
        if (!isMeant && !isLeftOut && !/^(Object|Array|String|Number|BigInt|Boolean|Null)$/.test(kind))
            lost ??= `${path} is of the type ${kind}`;
        return typeof value === 'bigint' ? mark + (integers.push(value) - 1) : value;
    }
    try {
        text = JSON.stringify(input, replace);
    }
    catch (cause) {
        throw refuse(identity, 'the input cannot be written as JSON', cause);
    }
    if (lost !== undefined)
        throw refuse(identity, `${lost}, which JSON cannot hold; toDataUrl converts a file`);
    if (!text?.startsWith('{'))
        throw refuse(identity, 'the input must be a JSON object');
    if (integers.length === 0)
        return text;
    return text.replace(new RegExp(`"${mark}(\\d+)"`, 'g'), (_, index) => String(integers[index]));
}
/**
 * Parses JSON, with a `bigint` for an integer that a double would round, on platforms that provide the source text of
 * numbers.
 */
function parseSent(sent) {
    if (!/\d{16}/.test(sent))
        return JSON.parse(sent);
    return JSON.parse(sent, (_, value, { source = '' } = {}) => typeof value === 'number' && /^-?\d{16,}$/.test(source) ? BigInt(source) : value);
}
/** Throws the error that the service would return for an invalid input. */
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
