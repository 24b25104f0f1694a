/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readCategory } from './categories.js';
import { answeredFailure, localFailure } from './failures.js';
/** The body of a run. What JSON would change without a word is refused: the run would be another one, and billed. */
export function printInput(input, call) {
    const paths = new Map();
    let text;
    try {
        text = JSON.stringify(input, function (name, value) {
            const path = paths.has(this) ? `${paths.get(this)}${Array.isArray(this) ? `[${name}]` : `.${name}`}` : 'input';
            if (isLost(this[name], value, Array.isArray(this)))
                throw localFailure(call, explainLoss(path, this[name]));
            if (typeof value === 'object')
                paths.set(value, path);
            return value;
        });
    }
    catch (cause) {
        if (Object(cause).kind === 'local')
            throw cause;
        throw localFailure(call, 'the input cannot be written as JSON', { cause });
    }
    if (text?.startsWith('{'))
        return text;
    throw localFailure(call, 'an input is a JSON object');
}
/** Whether JSON would leave a value out of a list, or write another one. What a `toJSON` of its own gives is meant. */
function isLost(raw, value, isItem) {
    if (typeof value === 'number')
        return !Number.isFinite(value);
    if (typeof value !== 'object')
        return typeof value === 'function' || typeof value === 'symbol' || (isItem && value === undefined);
    return (ArrayBuffer.isView(raw) || !/^\[object (Object|Array|Null|String|Number|Boolean)]$/.test(String(tag.call(value))));
}
const tag = Object.prototype.toString;
function explainLoss(path, value) {
    const what = typeof value === 'object' ? `of the kind ${tag.call(value).slice(8, -1)}` : String(value);
    return `${path} is ${what}, which JSON cannot hold; toDataUrl of the subpath assets makes text of a file`;
}
/** Refuses what the service would refuse, with the same error. An input that the router does not check has no schema. */
export async function validateInput(sent, load, call) {
    if (load === undefined && call.inputAuthored === false)
        return;
    if (load === undefined)
        throw localFailure(call, 'validate needs the facts of the model, not its id alone');
    const { validator } = await load();
    const result = validator.validate(JSON.parse(sent));
    if (result.valid)
        return;
    const body = { kind: 'json', value: { detail: result.detail }, size: sent.length };
    const answered = {
        status: 422,
        body,
        facts: { replayed: false },
        category: readCategory('', 'invalid_input', String),
    };
    const known = { attempts: 0, isRetryable: false, isSuccess: false, redact: String };
    throw answeredFailure({ ...call, inputAuthored: true }, answered, known);
}
