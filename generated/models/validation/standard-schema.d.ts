/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type JsonObjectSchema } from './json-schema.js';
import type { Validator } from './validator.js';
type Convert = (options: {
    readonly target: string;
}) => {
    readonly [keyword: string]: unknown;
};
type Standard = {
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
    readonly jsonSchema?: {
        readonly input: Convert;
        readonly output: Convert;
    };
};
/**
 * A validator in the form of Standard Schema, version 1, and with `schema` in that of Standard JSON Schema too. Formats inform only.
 * A target that is neither `draft-2020-12` nor `draft-07` throws, as that standard wants.
 */
export declare function standardSchema(validator: Validator, schema?: JsonObjectSchema): {
    readonly '~standard': Standard;
};
export {};
