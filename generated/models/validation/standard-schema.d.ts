/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import type { Validator } from './validator.js';
export type JsonObjectSchema = {
    readonly type: 'object';
    readonly [keyword: string]: unknown;
};
/** Converts a validator to a Standard Schema and, with `schema`, a Standard JSON Schema. Formats are not checked. */
export declare function standardSchema(validator: Validator, schema?: JsonObjectSchema): {
    '~standard': {
        readonly jsonSchema?: {
            input: ({ target }: {
                readonly target: string;
            }) => object | undefined;
            output: ({ target }: {
                readonly target: string;
            }) => object | undefined;
        };
        readonly version: 1;
        readonly vendor: "switchyard";
        readonly validate: (value: unknown) => {
            value: any;
            issues?: undefined;
        } | {
            issues: any;
            value?: undefined;
        };
    };
};
