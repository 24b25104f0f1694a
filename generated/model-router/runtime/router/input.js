/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readCategory } from './categories.js';
import { fail, failAs } from './failures.js';
/** The body of a run. What JSON would change without a word is refused: the run would be another one, and billed. */
export function printInput(input, call) {
    let lost;
    let text;
    try {
        lost = findLost(input, 'input');
        text = JSON.stringify(input);
    }
    catch (cause) {
        throw fail(call, 'the input cannot be written as JSON', { cause });
    }
    if (lost !== undefined)
        throw fail(call, `${lost}, which JSON cannot hold; toDataUrl makes text of a file`);
    if (text?.startsWith('{'))
        return text;
    throw fail(call, 'an input is a JSON object');
}
/** What of a value JSON has no words for, its parts included. What a `toJSON` of its own gives is meant. */
function findLost(value, path) {
    if (typeof value === 'number' && !Number.isFinite(value))
        return `${path} is ${value}`;
    const isMeant = 'toJSON' in Object(value) && !ArrayBuffer.isView(value);
    const written = isMeant ? value.toJSON() : value;
    const kind = Object.prototype.toString.call(written).slice(8, -1);
    if (!isMeant && !/^(Object|Array|String|Number|Boolean|Null)$/.test(kind))
        return `${path} is of the kind ${kind}`;
    if (typeof written !== 'object' || written === null)
        return undefined;
    const parts = Array.isArray(written)
        ? Array.from(written, (part, index) => findLost(part, `${path}[${index}]`))
        : Object.entries(written).map(([name, part]) => (part === undefined ? part : findLost(part, `${path}.${name}`)));
    return parts.find((lost) => lost !== undefined);
}
/** Refuses what the service would refuse, with the same error. */
export function refuseInvalid(sent, validate, call) {
    if (typeof validate !== 'function')
        throw fail(call, 'validate must be the function validateInput of the model');
    const result = validate(JSON.parse(sent));
    if (result.valid)
        return;
    const answered = { category: readCategory('', 'invalid_input', String), facts: { replayed: false } };
    throw failAs({ ...call, inputAuthored: true }, 422, result.detail, answered);
}
