/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** A validator in the form of Standard Schema, version 1. Formats inform only. */
export function standardSchema(validator) {
    return {
        '~standard': {
            version: 1,
            vendor: 'switchyard',
            validate(value) {
                const result = validator.validate(value);
                if (result.valid)
                    return { value: result.value };
                return { issues: result.detail.map(({ msg, loc }) => ({ message: msg, path: loc })) };
            },
        },
    };
}
