/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { toDraft07 } from './json-schema.js';
/**
 * A validator in the form of Standard Schema, version 1, and with `schema` in that of Standard JSON Schema too. Formats inform only.
 * A target that is neither `draft-2020-12` nor `draft-07` throws, as that standard wants.
 */
export function standardSchema(validator, schema) {
    const convert = ({ target }) => {
        // A copy each time: some libraries change what they get.
        if (target === 'draft-2020-12')
            return structuredClone(schema);
        if (schema !== undefined && target === 'draft-07')
            return toDraft07(schema);
        throw new TypeError(`inputSchema is given as draft-2020-12 or draft-07, and not as ${target}`);
    };
    const standard = {
        version: 1,
        vendor: 'switchyard',
        validate(value) {
            const result = validator.validate(value);
            if (result.valid)
                return { value: result.value };
            return { issues: result.detail.map(({ msg, loc }) => ({ message: msg, path: loc })) };
        },
        ...(schema === undefined ? {} : { jsonSchema: { input: convert, output: convert } }),
    };
    return { '~standard': standard };
}
