/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** One failing field, with the members of the router's 422. */
export type ValidationFailure = {
    /** Outermost part first; a number is an index. */
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
    readonly ctx?: {
        readonly [name: string]: unknown;
    };
};
/** The steps from the whole value to a part of it, as a linked list: most are never read. */
export type ValuePath = {
    readonly outer: ValuePath;
    readonly step: string | number;
} | undefined;
/** Collects failures; undefined when only the verdict counts. */
export type Failures = ValidationFailure[] | undefined;
/**
 * Thrown if a value is nested too deeply, or if schema or value refer to themselves without end. Ends the call as invalid; below `not`, a
 * returned failure would accept the value.
 */
export declare class NestedTooDeeply extends Error {
    readonly name = "NestedTooDeeply";
}
export declare const tooDeep: ValidationFailure;
/** For a value that does not fit, if finding the place takes too many steps. */
export declare const tooLong: ValidationFailure;
/** True if more failures should be collected; false if only validity matters or the limit is reached. */
export declare function isCollecting(failures: Failures): failures is ValidationFailure[];
export declare function traceSteps(path: ValuePath): (string | number)[];
/** A failure without its location. */
export type Reason = Omit<ValidationFailure, 'loc'>;
/** Returns the first failure of each field. */
export declare function firstOfEach(failures: readonly ValidationFailure[]): ValidationFailure[];
