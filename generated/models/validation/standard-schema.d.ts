/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import type { Validator } from './validator.js';
/** A validator in the form of Standard Schema, version 1. Formats inform only. */
export declare function standardSchema(validator: Validator): {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: 'switchyard';
        readonly validate: (value: unknown) => {
            readonly value: unknown;
        } | {
            readonly issues: readonly {
                readonly message: string;
                readonly path: readonly (string | number)[];
            }[];
        };
    };
};
