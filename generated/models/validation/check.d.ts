/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
import { type Failures, type Reason, type ValuePath } from './failure.js';
import { type Ids } from './ids.js';
import { type Json, type JsonSchema, type SchemasByName } from './schema.js';
/** Names of members or indices of items that a part of the schema has evaluated. Only recorded for `unevaluated…`. */
export type Evaluated = Set<string | number>;
export type FormatChecks = {
    readonly [name: string]: (text: string) => boolean;
};
/** The state of one call of a validator. */
export type Call = {
    readonly formats: FormatChecks | undefined;
    readonly ids: Ids;
    /** The ids of an `enum`'s values, by the list. */
    readonly enums: Map<readonly Json[], ReadonlySet<string>>;
    /** Known verdicts of definitions, by check and value; undefined while one is being decided. */
    readonly verdicts: Map<Check, Map<unknown, Verdict | undefined>>;
    /** The same, with the evaluated members. */
    readonly trackedVerdicts: Map<Check, Map<unknown, Verdict | undefined>>;
    /** The places where failures of a definition were collected, by value, or by place for scalars. */
    readonly explained: Map<Check, Map<unknown, ValuePath[]>>;
    /** The names of objects that have many. */
    readonly names: Map<object, readonly string[]>;
    /** Depth of nested definitions. */
    depth: number;
    /** Steps left. Patterns have their own, so that a long text leaves enough for the rest. */
    steps: {
        checks: number;
        patterns: number;
    };
    /** True if a value passed only because a pattern cannot be run: then `not` must not refuse it. */
    isOpen: boolean;
};
export type Pass = {
    readonly call: Call;
    readonly failures: Failures;
    readonly evaluated: Evaluated | undefined;
};
/** Returns whether a value passes. Adds failures if the pass collects them. */
export type Check = (value: unknown, path: ValuePath, pass: Pass) => boolean;
/** Makes a check for values of one type; all other values pass. */
export declare function when<Value>(isOfType: (value: unknown) => value is Value, check: (value: Value, path: ValuePath, pass: Pass) => boolean): Check;
/** Combines checks. If failures are collected, each check adds its own. Returns undefined for an empty list. */
export declare function all(checks: readonly Check[]): Check | undefined;
/** Compiles the parts of a document. */
export type Compiling = {
    /** Turns a schema within the same document into its check. */
    readonly compile: (schema: JsonSchema) => Check;
    readonly follow: (reference: string) => Check;
    readonly readPattern: PatternReader;
    readonly definitions: SchemasByName;
};
/** Returns the matcher of a pattern; undefined for a pattern that is left to the server. */
export type PatternReader = (pattern: string) => PatternMatcher | undefined;
export type PatternMatcher = (text: string, spend?: (steps: number) => void) => boolean;
/** Thrown if a call takes more steps than `maxSteps`. */
export declare class OutOfSteps extends Error {
    readonly name = "OutOfSteps";
}
export declare function spend({ steps }: Call, count: number, on?: 'checks' | 'patterns'): void;
/** Adds a failure. Always returns false, so that a check can end with it. */
export declare function refuse({ call, failures }: Pass, path: ValuePath, reason: Reason): false;
/** Returns whether a text matches; true, and open, if that would take too many steps. */
export declare function matches(isMatch: PatternMatcher, text: string, call: Call): boolean;
export declare function createCall(formats: FormatChecks | undefined, maxSteps: number): Call;
export declare function addEvaluated({ evaluated: known, call }: Pass, more: Evaluated | undefined): void;
/** Returns the pass for parts of a value, which record their evaluated members separately. */
export declare function inside(pass: Pass): Pass;
/** Returns the names of the members that JSON has. */
export declare function listMembers(value: {
    readonly [name: string]: unknown;
}, call: Call): readonly string[];
/** Checks the parts of values of one type by the check that `select` returns for a step. A part without one passes and is not evaluated. */
export declare function checkParts<Value extends object, Step extends string | number>(isOfType: (value: unknown) => value is Value, listSteps: (value: Value, call: Call) => Iterable<Step>, select: (step: Step, pass: Pass) => Check | undefined): Check;
export type Verdict = {
    /** `open`: the value passes, but a pattern could not be run. */
    readonly fits: 'yes' | 'open' | 'no';
    readonly evaluated: Evaluated | undefined;
};
/** Decides one part without changing the pass. */
export declare function decide(check: Check, value: unknown, path: ValuePath, pass: Pass): Verdict;
/** Adds the evaluated members of a part that passes, and whether it is open. Returns whether it passes. */
export declare function adopt({ fits, evaluated }: Verdict, pass: Pass): boolean;
