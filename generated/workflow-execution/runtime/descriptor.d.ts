/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** One operation of an API, as data. */
export type OperationDescriptor<Method extends string = string, Path extends string = string> = {
    readonly method: Method;
    /** Path with `{name}` for a path parameter. */
    readonly path: Path;
    readonly parameters: readonly {
        readonly name: string;
        readonly in: 'path' | 'query' | 'header' | 'cookie';
        readonly required: boolean;
    }[];
    /** Empty if the operation takes no body. */
    readonly requestMediaTypes: readonly string[];
    /** Media types by documented status, including `default`; empty if a status has no body. */
    readonly responses: {
        readonly [status: string]: readonly string[];
    };
    /** Names of the security schemes; one of them is sufficient. */
    readonly security: readonly string[];
    /** False if the document requires no credential; a deployment may still require one. */
    readonly credentialRequired: boolean;
};
/** One failing field, in the format of the router's 422. */
export type ValidationFailure = {
    /** Path of the field, outermost step first; a number is an index. */
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
    readonly ctx?: {
        readonly [name: string]: unknown;
    };
};
export type ValidationResult<Value> = {
    readonly valid: true;
    readonly value: Value;
    readonly detail?: undefined;
} | {
    readonly valid: false;
    readonly value?: undefined;
    readonly detail: readonly ValidationFailure[];
};
export type ValidationOptions = {
    /** Format checks by name. Without them, `format` is only an annotation. */
    readonly formats?: {
        readonly [name: string]: (text: string) => boolean;
    };
};
/** JSON Schema of an object, for agent libraries. */
export type JsonObjectSchema = {
    type: 'object';
    properties?: {
        [name: string]: object;
    };
    required?: string[];
    [keyword: string]: unknown;
};
/** A Standard Schema and, for inputs, a Standard JSON Schema, version 1 of both. Many libraries accept them. */
export type StandardSchema<Value> = {
    readonly '~standard': {
        readonly version: 1;
        readonly vendor: string;
        readonly validate: (value: unknown) => {
            readonly value: Value;
            readonly issues?: undefined;
        } | {
            readonly issues: readonly {
                readonly message: string;
                readonly path: readonly (string | number)[];
            }[];
        };
        /** Only schemas of inputs have it. Supports the targets `draft-2020-12` and `draft-07`, and throws for any other. */
        readonly jsonSchema?: {
            readonly input: ToJsonSchema;
            readonly output: ToJsonSchema;
        };
        /** Only exists at compile time. */
        readonly types?: {
            readonly input: Value;
            readonly output: Value;
        };
    };
};
type ToJsonSchema = (options: {
    readonly target: string;
}) => {
    [keyword: string]: unknown;
};
/** Texts and examples from a model's document. They are not validated. */
export type ModelDetails = {
    readonly title?: string;
    readonly description?: string;
    /** For example `text` and `image`. */
    readonly inputModalities?: readonly string[];
    readonly outputModalities?: readonly string[];
    readonly exampleInput?: unknown;
    readonly exampleOutput?: unknown;
    /** Id of the model that this id is an alias of. */
    readonly aliasOf?: string;
};
/** Facts about a model, and its types. `Alternates`: the other providers in its document. */
export type ModelDescriptor<Id extends string = string, Input = {
    [key: string]: unknown;
}, Output = unknown, Alternates extends string = string> = {
    /** `{provider}/{model}` */
    readonly id: Id;
    /** False if the provider checks the input instead of the router. */
    readonly inputAuthored: boolean;
    readonly outputAuthored: boolean;
    /** Media types in the document. If one is a wildcard, read `mediaType` of the result. */
    readonly outputMediaTypes: readonly string[];
    readonly providers: {
        readonly default: string;
        readonly alternates: readonly {
            readonly provider: string;
            readonly modelId: string;
        }[];
    };
    /** `yes` if a content-policy rejection is charged; treat `unknown` as possibly charged. */
    readonly chargesOnPolicyRejection: 'yes' | 'no' | 'unknown';
    /** SHA-256 of the schema document that the types were generated from. */
    readonly schemaDigest: string;
    /** Patterns that validators skip, because they can't be matched in linear time. The server checks them. */
    readonly uncheckedPatterns?: readonly string[];
    /** Only exists at compile time. The router doesn't check outputs, so an output may differ from its type. */
    readonly types?: {
        readonly input: Input;
        readonly output: Output;
        readonly alternates: Alternates;
    };
};
export {};
