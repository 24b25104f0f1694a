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
    /** With `{name}` for a path parameter. */
    readonly path: Path;
    readonly parameters: readonly {
        readonly name: string;
        readonly in: 'path' | 'query' | 'header' | 'cookie';
        readonly required: boolean;
    }[];
    /** Empty when the operation takes no body. */
    readonly requestMediaTypes: readonly string[];
    /** Media types by documented status, `default` included; empty when a status has no body. */
    readonly responses: {
        readonly [status: string]: readonly string[];
    };
    /** Names of the security schemes; one of them is enough. */
    readonly security: readonly string[];
    /** False: calls need no credential, although a deployment may require one. */
    readonly credentialRequired: boolean;
};
/** One failing field as in the router's 422. */
export type ValidationFailure = {
    /** Outermost part first; a number is an index. */
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
    /** Checks of formats, by name; without them `format` is an annotation. */
    readonly formats?: {
        readonly [name: string]: (text: string) => boolean;
    };
};
/** JSON Schema of an object, for libraries for agents. */
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
        /** For `draft-2020-12` and `draft-07`; any other target throws. Outputs have none. */
        readonly jsonSchema?: {
            readonly input: ToJsonSchema;
            readonly output: ToJsonSchema;
        };
        /** Only for the compiler. */
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
/** Texts and examples of a model's document. They are not checked. */
export type ModelDetails = {
    readonly title?: string;
    readonly description?: string;
    /** Such as `text` and `image`. */
    readonly inputModalities?: readonly string[];
    readonly outputModalities?: readonly string[];
    readonly exampleInput?: unknown;
    readonly exampleOutput?: unknown;
    /** Id of the model for which this id is another name. */
    readonly aliasOf?: string;
};
/** Facts of a model, and its types. `Alternates` are the other providers in its document. */
export type ModelDescriptor<Id extends string = string, Input = {
    [key: string]: unknown;
}, Output = unknown, Alternates extends string = string> = {
    /** `{provider}/{model}` */
    readonly id: Id;
    /** False: the router does not check the input; the provider does. */
    readonly inputAuthored: boolean;
    readonly outputAuthored: boolean;
    /** From the document. For a wildcard, see `mediaType` of the result. */
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
    /** SHA-256 of the schema document of the types. */
    readonly schemaDigest: string;
    /** Patterns that validators leave to the server, because they cannot be matched in linear time. */
    readonly uncheckedPatterns?: readonly string[];
    /** Only for the compiler. The router does not check outputs, so one may differ from its type. */
    readonly types?: {
        readonly input: Input;
        readonly output: Output;
        readonly alternates: Alternates;
    };
};
export {};
