/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
export type Json = string | number | boolean | null | readonly Json[] | {
    readonly [key: string]: Json;
};
/** JSON Schema 2020-12 whose references all start with `#/$defs/`. */
export type JsonSchema = boolean | SchemaObject;
export type SchemasByName = {
    readonly [name: string]: JsonSchema;
};
export type SchemaObject = {
    /** Name of the schema in messages. */
    readonly title?: string;
    readonly $ref?: string;
    readonly $defs?: SchemasByName;
    readonly type?: string | readonly string[];
    readonly enum?: readonly Json[];
    readonly allOf?: readonly JsonSchema[];
    readonly anyOf?: readonly JsonSchema[];
    readonly oneOf?: readonly JsonSchema[];
    readonly not?: JsonSchema;
    readonly if?: JsonSchema;
    readonly then?: JsonSchema;
    readonly else?: JsonSchema;
    readonly properties?: {
        readonly [name: string]: JsonSchema;
    };
    readonly patternProperties?: {
        readonly [pattern: string]: JsonSchema;
    };
    readonly additionalProperties?: JsonSchema;
    readonly unevaluatedProperties?: JsonSchema;
    readonly propertyNames?: JsonSchema;
    readonly required?: readonly string[];
    readonly dependentRequired?: {
        readonly [name: string]: readonly string[];
    };
    readonly dependentSchemas?: {
        readonly [name: string]: JsonSchema;
    };
    readonly minProperties?: number;
    readonly maxProperties?: number;
    readonly prefixItems?: readonly JsonSchema[];
    readonly items?: JsonSchema;
    readonly contains?: JsonSchema;
    readonly minContains?: number;
    readonly maxContains?: number;
    readonly unevaluatedItems?: JsonSchema;
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly uniqueItems?: boolean;
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    readonly format?: string;
    /** A string of digits if a double would round the bound. */
    readonly minimum?: number | string;
    readonly maximum?: number | string;
    readonly exclusiveMinimum?: number | string;
    readonly exclusiveMaximum?: number | string;
    readonly multipleOf?: number;
};
/** JSON type of a value; `other` if JSON can't represent it. */
export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'other';
export declare function readKind(value: unknown): Kind;
export declare function isContainer(value: unknown): value is object;
export declare function isMembers(value: unknown): value is {
    readonly [name: string]: unknown;
};
/** Returns the names of the members that JSON would contain. */
export declare function listNames(value: {
    readonly [name: string]: unknown;
}): string[];
/** True if an object has an own member. */
export declare function has(value: {
    readonly [name: string]: unknown;
}, name: string): boolean;
