/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { readCategory } from './categories.js';
import { fail, failAnswered } from './failures.js';
/** The body of a run. What JSON would change without a word is refused: the run would be another one, and billed. */
export function printInput(input, call) {
    const paths = new Map();
    let lost;
    let text;
    try {
        text = JSON.stringify(input, function (name, written) {
            const value = this[name];
            const outer = paths.get(this);
            const path = outer === undefined ? 'input' : Array.isArray(this) ? `${outer}[${name}]` : `${outer}.${name}`;
            const isLeftOut = value === undefined && !Array.isArray(this);
            if (!isLeftOut && !isJson(value))
                lost ??= `${path} is ${nameKind(value)}`;
            if (typeof written === 'object')
                paths.set(written, path);
            return lost === undefined ? written : undefined;
        });
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
const nameKind = (value) => typeof value === 'number' ? `${value}` : `of the kind ${Object.prototype.toString.call(value).slice(8, -1)}`;
/** Whether JSON has words for a value, its parts aside. What a `toJSON` of its own gives is meant. */
function isJson(value) {
    if (typeof value === 'number')
        return Number.isFinite(value);
    const isMeant = 'toJSON' in Object(value) && !ArrayBuffer.isView(value);
    return isMeant || /kind (?:Object|Array|String|Number|Boolean|Null)$/.test(nameKind(value));
}
/** Refuses what the service would refuse, with the same error. An input that the router does not check has no schema. */
export async function refuseInvalid(sent, validate, { loadValidator, ...call }) {
    let check = validate;
    if (check === true) {
        if (loadValidator === undefined && call.inputAuthored === false)
            return;
        if (loadValidator === undefined)
            throw fail(call, 'validate needs the facts of the model, not its id alone');
        const { validator } = await loadValidator().catch((cause) => {
            throw fail(call, 'the schema is not in this bundle: give validate the validateInput of the model', { cause });
        });
        check = (input) => validator.validate(input);
    }
    const result = check(JSON.parse(sent));
    if (result.valid)
        return;
    const body = { kind: 'json', value: { detail: result.detail } };
    const category = readCategory('', 'invalid_input', String);
    const answered = { status: 422, body, facts: { replayed: false }, category };
    throw failAnswered({ ...call, inputAuthored: true }, answered, { redact: String });
}
