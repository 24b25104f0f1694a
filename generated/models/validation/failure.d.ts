/** One failing field in the words of the router's own 422: where, why, the kind of reason, and its bound if it has one. */
export type ValidationFailure = {
    /** Outermost part first; a number is an index. */
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
    readonly ctx?: {
        readonly [name: string]: unknown;
    };
};
/** The steps from the whole value to a part of it, innermost first: most are never looked at. */
export type Place = {
    readonly outer: Place;
    readonly step: string | number;
} | undefined;
/** Where complaints go; without one, only the verdict counts. */
export type Complaints = ValidationFailure[] | undefined;
/** Always false, so that a check can end with it. */
export declare function refuse(complaints: Complaints, place: Place, reason: {
    type: string;
    msg: string;
    ctx?: {
        [name: string]: unknown;
    };
}): false;
/** One entry for each failing field, the first complaint about it. */
export declare function firstOfEach(failures: readonly ValidationFailure[]): ValidationFailure[];
