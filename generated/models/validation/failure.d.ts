/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** One failing field as in the router's 422: location, message, kind of failure, and its bound if it has one. */
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
 * Ends a call as invalid, whatever surrounds the place: below `not` a mere failure would become acceptance. Thrown where a value is
 * nested deeper than is followed, or where schema or value lead back to themselves without end.
 */
export declare class NestedTooDeeply extends Error {
    readonly name = "NestedTooDeeply";
}
export declare const tooDeep: ValidationFailure;
/** Of a value that does not fit, where finding the place takes more steps than are allowed. */
export declare const tooLong: ValidationFailure;
/** True if further failures are wanted: false where only the verdict counts, or enough have been found. */
export declare function isCollecting(failures: Failures): failures is ValidationFailure[];
export declare function traceSteps(path: ValuePath): (string | number)[];
/** What is wrong, wherever it is. */
export type Reason = Omit<ValidationFailure, 'loc'>;
/** The first failure of each field. */
export declare function firstOfEach(failures: readonly ValidationFailure[]): ValidationFailure[];
