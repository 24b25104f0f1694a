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
/** Names of members, or indices of items, that some part of a schema has evaluated; recorded only where `unevaluated…` applies. */
export type Evaluated = Set<string | number>;
export type FormatChecks = {
    readonly [name: string]: (text: string) => boolean;
};
/** What all parts of one call of a validator share. */
export type Call = {
    readonly formats: FormatChecks | undefined;
    readonly ids: Ids;
    /** The ids of an `enum`'s values, by the list. */
    readonly enums: Map<readonly Json[], ReadonlySet<string>>;
    /** What is known of values by the check of a definition; undefined while it is being decided. */
    readonly verdicts: Map<Check, Map<unknown, Verdict | undefined>>;
    /** The same with what was evaluated. */
    readonly trackedVerdicts: Map<Check, Map<unknown, Verdict | undefined>>;
    /** Definitions followed to reach this part. */
    depth: number;
    /** Left for this call; patterns have steps of their own, so that a long text takes none from the rest of the value. */
    steps: {
        checks: number;
        patterns: number;
    };
    /** Whether a value passed only because a pattern cannot be run: then nothing that denies it may refuse. */
    isOpen: boolean;
};
export type Pass = {
    readonly call: Call;
    readonly failures: Failures;
    readonly evaluated: Evaluated | undefined;
};
/** Whether a value passes; adds failures where the pass collects them. */
export type Check = (value: unknown, path: ValuePath, pass: Pass) => boolean;
/** A check of the values of one type; any other value passes. */
export declare function when<Value>(isOfType: (value: unknown) => value is Value, check: (value: Value, path: ValuePath, pass: Pass) => boolean): Check;
/** One check of several; where failures are collected each of them adds its own. Undefined for none. */
export declare function all(checks: readonly Check[]): Check | undefined;
/** What the parts of a document are compiled with. */
export type Compiling = {
    /** Turns a schema within the same document into its check. */
    readonly compile: (schema: JsonSchema) => Check;
    readonly follow: (reference: string) => Check;
    readonly readPattern: PatternReader;
    readonly definitions: SchemasByName;
};
/** Whether a text matches a pattern; undefined for a pattern that is left to the server. */
export type PatternReader = (pattern: string) => PatternMatcher | undefined;
export type PatternMatcher = (text: string, spend?: (steps: number) => void) => boolean;
/** A call that takes more steps than it may. */
export declare class OutOfSteps extends Error {
    readonly name = "OutOfSteps";
}
export declare function spend({ steps }: Call, count: number, on?: 'checks' | 'patterns'): void;
/** Always false, so that a check can end with it. */
export declare function refuse({ call, failures }: Pass, path: ValuePath, reason: Reason): false;
/** Whether a text matches; true, and open, where that would take too many steps. */
export declare function matches(isMatch: PatternMatcher, text: string, call: Call): boolean;
export declare function createCall(formats: FormatChecks | undefined, maxSteps: number): Call;
export declare function addEvaluated({ evaluated: known, call }: Pass, more: Evaluated | undefined): void;
/** For the parts of a value, which record what they evaluate separately. */
export declare function inside(pass: Pass): Pass;
/** Names of the members that JSON would hold. */
export declare function listMembers(value: {
    readonly [name: string]: unknown;
}, call: Call): readonly string[];
/** Checks parts of the values of one type, each by what `select` says for its step. Without a check, a part passes and is not evaluated. */
export declare function checkParts<Value extends object, Step extends string | number>(isOfType: (value: unknown) => value is Value, listSteps: (value: Value, call: Call) => Iterable<Step>, select: (step: Step, pass: Pass) => Check | undefined): Check;
export type Verdict = {
    /** `open` where the value passes as far as the patterns that can be run say. */
    readonly fits: 'yes' | 'open' | 'no';
    readonly evaluated: Evaluated | undefined;
};
/** The verdict of one part, which leaves no trace in the pass. */
export declare function decide(check: Check, value: unknown, path: ValuePath, pass: Pass): Verdict;
/** Adds what a part that passes has evaluated and left open; whether it passes. */
export declare function adopt({ fits, evaluated }: Verdict, pass: Pass): boolean;
