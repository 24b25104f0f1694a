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
    let text;
    let lost;
    try {
        lost = findLost(input, 'input');
        text = JSON.stringify(input);
    }
    catch (cause) {
        throw localFailure(call, 'the input cannot be written as JSON', { cause });
    }
    if (lost !== undefined)
        throw localFailure(call, `${lost}, which JSON cannot hold; toDataUrl makes text of a file`);
    if (text?.startsWith('{'))
        return text;
    throw localFailure(call, 'an input is a JSON object');
}
/** The first part that JSON would leave out of a list, or write as something else. */
function findLost(value, path) {
    const kind = explainLoss(value);
    if (kind !== undefined)
        return `${path} is ${kind}`;
    const isList = Array.isArray(value);
    // What a `toJSON` of its own gives is meant.
    const parts = typeof value !== 'object' || value === null || 'toJSON' in value ? [] : Object.entries(value);
    for (const [name, part] of parts) {
        const at = isList ? `${path}[${name}]` : `${path}.${name}`;
        const lost = isList && part === undefined ? `${at} is undefined` : findLost(part, at);
        if (lost !== undefined)
            return lost;
    }
    return undefined;
}
/** What a value is that JSON has no words for. */
function explainLoss(value) {
    if (typeof value === 'number')
        return Number.isFinite(value) ? undefined : String(value);
    if (typeof value === 'function' || typeof value === 'symbol')
        return `a ${typeof value}`;
    if (typeof value !== 'object' || value === null || ('toJSON' in value && !ArrayBuffer.isView(value)))
        return undefined;
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    return /^(?:Object|Array|String|Number|Boolean)$/.test(kind) ? undefined : `of the kind ${kind}`;
}
/** Refuses what the service would refuse, with the same error. An input that the router does not check has no schema. */
export async function validateInput(sent, validate, { loadValidator, ...call }) {
    if (validate === undefined || validate === false)
        return;
    const check = typeof validate === 'function' ? validate : await load(loadValidator, call);
    const result = check?.(JSON.parse(sent)) ?? { valid: true };
    if (result.valid)
        return;
    const body = { kind: 'json', value: { detail: result.detail } };
    const answered = {
        status: 422,
        body,
        facts: { replayed: false },
        category: readCategory('', 'invalid_input', String),
    };
    const known = { attempts: 0, isRetryable: false, isSuccess: false, redact: String };
    throw answeredFailure({ ...call, inputAuthored: true }, answered, known);
}
async function load(loadValidator, call) {
    if (loadValidator === undefined && call.inputAuthored === false)
        return undefined;
    try {
        const found = await loadValidator?.();
        if (found !== undefined)
            return (input) => found.validator.validate(input);
    }
    catch (cause) {
        throw localFailure(call, 'the schema is not in this bundle: give validate the validateInput of the model', {
            cause,
        });
    }
    throw localFailure(call, 'validate needs the facts of the model, not its id alone');
}
