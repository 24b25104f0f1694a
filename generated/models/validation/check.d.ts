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
type Keywords<Names extends string, Value> = {
    readonly [Name in Names]?: Value;
};
export interface SchemaObject extends Keywords<'$defs' | 'properties' | 'patternProperties' | 'dependentSchemas', SchemasByName>, Keywords<'allOf' | 'anyOf' | 'oneOf' | 'prefixItems', readonly JsonSchema[]>, Keywords<'not' | 'if' | 'then' | 'else' | 'items' | 'contains' | 'propertyNames', JsonSchema>, Keywords<'additionalProperties' | 'unevaluatedProperties' | 'unevaluatedItems', JsonSchema>, Keywords<'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minContains' | 'maxContains', number>, Keywords<'minProperties' | 'maxProperties' | 'multipleOf', number>, Keywords<'title' | '$ref' | 'pattern' | 'format', string>, Keywords<'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum', number | string> {
    readonly type?: string | readonly string[];
    readonly enum?: readonly Json[];
    readonly required?: readonly string[];
    readonly dependentRequired?: {
        readonly [name: string]: readonly string[];
    };
    readonly uniqueItems?: boolean;
}
export type ValidationFailure = {
    /** Path of the field, outermost step first; a number is an index. */
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
    readonly ctx?: {
        readonly [name: string]: unknown;
    };
};
export type Reason = Omit<ValidationFailure, 'loc'>;
/** Steps from the whole value to a part of it. A linked list, because most paths are never read. */
export type ValuePath = {
    readonly outer: ValuePath;
    readonly step: string | number;
} | undefined;
/** Member names or item indices that a part of the schema has evaluated. Only recorded for `unevaluated…`. */
export type EvaluatedParts = Set<string | number>;
export type FormatChecks = {
    readonly [name: string]: (text: string) => boolean;
};
/** Result of a check; a combination of checks has the smallest one. `mayPass`: a pattern of the schema could not be run. */
export type Verdict = typeof fails | typeof mayPass | typeof passes;
export declare const fails = 0;
export declare const mayPass = 1;
export declare const passes = 2;
export type ValidationCall = {
    readonly formats: FormatChecks | undefined;
    /** Verdicts of definitions, by check and value. */
    readonly verdicts: Map<Check, Map<unknown, Verdict>>;
    depth: number;
    /** Number of steps left. Patterns have their own budget, so that a long text doesn't use up that of other checks. */
    steps: {
        checks: number;
        patterns: number;
    };
};
export type Pass = {
    readonly call: ValidationCall;
    /** Collects failures; undefined if only the verdict matters. */
    readonly failures: ValidationFailure[] | undefined;
    readonly evaluated: EvaluatedParts | undefined;
};
/** Checks a value. Adds failures if the pass collects them. */
export type Check = (value: unknown, path: ValuePath, pass: Pass) => Verdict;
/** Returns a check that only applies to values of one type; all other values pass. */
export declare function checkIfType<Value>(isOfType: (value: unknown) => value is Value, check: (value: Value, path: ValuePath, pass: Pass) => Verdict): Check;
/** Combines checks. If failures are collected, each check adds its own. Returns undefined for an empty list. */
export declare function checkAll(checks: readonly Check[]): Check | undefined;
export type CompileContext = {
    readonly compile: (schema: JsonSchema) => Check;
    /** Returns the check of a definition, which is compiled on first use. */
    readonly follow: (reference: string) => Check;
    readonly findDefinition: (reference: string) => JsonSchema;
    readonly readPattern: PatternReader;
};
/** Creates the check of one or more keywords; returns undefined if the schema has none of them. */
export type Keyword = (schema: SchemaObject, context: CompileContext) => Check | undefined;
/** Returns the matcher of a pattern; undefined for a pattern that only the server checks. */
export type PatternReader = (pattern: string) => PatternMatcher | undefined;
export type PatternMatcher = (text: string, spend?: (steps: number) => void) => boolean;
/** Thrown if a value is nested too deeply; the value is then invalid. Not a failure: `not` would turn it into a pass. */
export declare class NestedTooDeeply extends Error {
}
export declare class OutOfSteps extends Error {
}
export declare function spend({ steps }: ValidationCall, count: number, on?: 'checks' | 'patterns'): void;
export declare function isCollecting(failures: ValidationFailure[] | undefined): failures is ValidationFailure[];
/** Adds a failure, and returns `fails`. */
export declare function addFailure({ call, failures }: Pass, path: ValuePath, reason: Reason): typeof fails;
/** Passes if `isMet`; otherwise adds a failure. */
export declare function passIf(isMet: boolean, pass: Pass, path: ValuePath, reason: Reason): Verdict;
/** Returns `mayPass` if the pattern can't be run or takes too many steps. */
export declare function matchPattern(isMatch: PatternMatcher | undefined, text: string, call: ValidationCall): Verdict;
export declare function addEvaluated({ evaluated: known, call }: Pass, more: EvaluatedParts): void;
/** Returns the pass for parts of a value, which record their evaluated members separately. */
export declare function withoutEvaluated(pass: Pass): Pass;
export declare function isContainer(value: unknown): value is object;
export declare function isObject(value: unknown): value is {
    readonly [name: string]: unknown;
};
/** Returns the names of the members that JSON would contain. */
export declare function listNames(value: {
    readonly [name: string]: unknown;
}): string[];
export declare function hasMember(value: {
    readonly [name: string]: unknown;
}, name: string): boolean;
export declare function listMembers(value: {
    readonly [name: string]: unknown;
}, call: ValidationCall): readonly string[];
/** Checks the parts of values of one type. If `select` returns no check for a part, it passes and is not evaluated. */
export declare function checkParts<Value extends object, Step extends string | number>(isOfType: (value: unknown) => value is Value, listSteps: (value: Value, call: ValidationCall) => Iterable<Step>, select: (step: Step, pass: Pass) => Check | undefined): Check;
export {};
