import type { Failures, ValuePath } from './failure.js';
import type { JsonSchema } from './schema.js';
/** Members and items that some part of a schema has evaluated; recorded only where `unevaluated…` applies. */
export type Evaluated = {
    names: Set<string>;
    /** How many items from the first one on. */
    items: number;
    /** Indices of other items. */
    others: Set<number>;
};
export type Run = {
    readonly failures: Failures;
    readonly evaluated: Evaluated | undefined;
    /** References followed so far: a schema may refer to itself endlessly. */
    readonly depth: number;
    readonly formats: FormatChecks | undefined;
};
export type FormatChecks = {
    readonly [name: string]: (text: string) => boolean;
};
/** Whether a value passes; adds failures where the run collects them. */
export type Check = (value: unknown, path: ValuePath, run: Run) => boolean;
/** Turns a schema within the same document into its check. */
export type Compile = (schema: JsonSchema) => Check;
export declare function nothingEvaluated(): Evaluated;
export declare function addEvaluated(known: Evaluated, more: Evaluated): void;
/** A run for the parts of a value, which record what they evaluate separately. */
export declare function inside(run: Run): Run;
/** A run for the verdict alone. */
export declare function withoutFailures(run: Run): Run;
