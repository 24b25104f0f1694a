/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
import { type JsonSchema, type SchemasByName } from './schema.js';
/** A failing field, with the members of the router's 422. */
export type ValidationFailure = {
    /** Path of the field, outermost step first; a number is an index. */
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
    readonly ctx?: {
        readonly [name: string]: unknown;
    };
};
/** A failure without its location. */
export type Reason = Omit<ValidationFailure, 'loc'>;
/** Steps from the whole value to a part of it, as a linked list, because most paths are never read. */
export type ValuePath = {
    readonly outer: ValuePath;
    readonly step: string | number;
} | undefined;
/** Member names or item indices that a part of the schema has evaluated. Only recorded for `unevaluated…`. */
export type Evaluated = Set<string | number>;
export type FormatChecks = {
    readonly [name: string]: (text: string) => boolean;
};
/** The state of one call of a validator. */
export type Call = {
    readonly formats: FormatChecks | undefined;
    /** Known verdicts of definitions, by check and value. */
    readonly verdicts: Map<Check, Map<unknown, Verdict>>;
    /** Depth of nested definitions. */
    depth: number;
    /** Depth of nested unions whose failures are being explained. */
    explaining: number;
    /** Steps left. Patterns have their own, so that a long text leaves enough for the rest. */
    steps: {
        checks: number;
        patterns: number;
    };
    /** True if a value only passed because a pattern can't be run. `not` must then not reject it. */
    isOpen: boolean;
};
export type Pass = {
    readonly call: Call;
    /** Collects failures; undefined if only the verdict matters. */
    readonly failures: ValidationFailure[] | undefined;
    readonly evaluated: Evaluated | undefined;
};
/** Returns true if a value passes. Adds failures if the pass collects them. */
export type Check = (value: unknown, path: ValuePath, pass: Pass) => boolean;
/** Returns a check that only applies to values of one type; all other values pass. */
export declare function when<Value>(isOfType: (value: unknown) => value is Value, check: (value: Value, path: ValuePath, pass: Pass) => boolean): Check;
/** Combines checks. If failures are collected, each check adds its own. Returns undefined for an empty list. */
export declare function all(checks: readonly Check[]): Check | undefined;
/** Compiles the parts of a document. */
export type Compiling = {
    /** Turns a schema of the same document into its check. */
    readonly compile: (schema: JsonSchema) => Check;
    readonly follow: (reference: string) => Check;
    readonly readPattern: PatternReader;
    readonly definitions: SchemasByName;
};
/** Returns the matcher of a pattern; undefined for a pattern that only the server checks. */
export type PatternReader = (pattern: string) => PatternMatcher | undefined;
export type PatternMatcher = (text: string, spend?: (steps: number) => void) => boolean;
/**
 * Thrown if a value is nested too deeply, or if schema or value refer to themselves endlessly. Ends the call as
 * invalid; below `not`, returning a failure would accept the value.
 */
export declare class NestedTooDeeply extends Error {
    readonly name = "NestedTooDeeply";
}
/** Thrown if a call takes more steps than `maxSteps`. */
export declare class OutOfSteps extends Error {
    readonly name = "OutOfSteps";
}
export declare function spend({ steps }: Call, count: number, on?: 'checks' | 'patterns'): void;
/** True if more failures should be collected; false if only validity matters or the limit is reached. */
export declare function isCollecting(failures: ValidationFailure[] | undefined): failures is ValidationFailure[];
export declare function traceSteps(path: ValuePath): (string | number)[];
/** Adds a failure. Always returns false, so that a check can return the result. */
export declare function refuse({ call, failures }: Pass, path: ValuePath, reason: Reason): false;
/** Returns true if a text matches. If that would take too many steps, returns true and marks the value as open. */
export declare function matches(isMatch: PatternMatcher, text: string, call: Call): boolean;
export declare function createCall(formats: FormatChecks | undefined, maxSteps: number): Call;
export declare function addEvaluated({ evaluated: known, call }: Pass, more: Evaluated | undefined): void;
/** Returns the pass for parts of a value, which record their evaluated members separately. */
export declare function inside(pass: Pass): Pass;
/** Returns the names of the members that JSON has. */
export declare function listMembers(value: {
    readonly [name: string]: unknown;
}, call: Call): readonly string[];
/**
 * Checks the parts of values of one type with the check that `select` returns for a step. A part without a check passes
 * and is not evaluated.
 */
export declare function checkParts<Value extends object, Step extends string | number>(isOfType: (value: unknown) => value is Value, listSteps: (value: Value, call: Call) => Iterable<Step>, select: (step: Step, pass: Pass) => Check | undefined): Check;
export type Verdict = {
    /** `open`: the value passes, but a pattern could not be run. */
    readonly fits: 'yes' | 'open' | 'no';
    readonly evaluated: Evaluated | undefined;
};
/** Checks one part without changing the pass. */
export declare function decide(check: Check, value: unknown, path: ValuePath, pass: Pass): Verdict;
/** Adds the evaluated members of a part that passes, and whether it is open. Returns true if it passes. */
export declare function applyVerdict({ fits, evaluated }: Verdict, pass: Pass): boolean;
