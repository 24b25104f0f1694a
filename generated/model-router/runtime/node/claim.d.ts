/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** What a claim is on: files `<name>.claim-<number>` of a folder. */
export type ClaimPlace = {
    readonly folder: string;
    readonly name: string;
};
export type Claim = {
    /** 0 where nobody ever claimed it. */
    readonly number: number;
    /** Empty where nobody holds it; `?` where the claim does not say who does. */
    readonly holder: string;
    /** Whether the holder lives. `unknown`: it is of another machine or container, and gave a sign of life a moment ago. */
    readonly life: 'alive' | 'unknown' | 'gone';
    /** Milliseconds since the epoch, as its process saw it; 0 where the claim does not say. */
    readonly since: number;
};
export declare function readClaim(place: ClaimPlace, names?: readonly string[]): Promise<Claim>;
/** Makes `holder` the one who holds it after `earlier`, or nobody where it is empty; false where somebody else was faster. */
export declare function follow(place: ClaimPlace, earlier: Claim, holder: string): Promise<boolean>;
/** A sign of life, for processes that cannot look whether this one runs. */
export declare function beat(place: ClaimPlace, { number }: Pick<Claim, 'number'>): Promise<void>;
/** Names in a folder; none where it does not exist. */
export declare function readFolder(folder: string): Promise<string[]>;
/** What a file that does not exist holds; every other error is thrown. */
export declare function ignoreAbsence(error: NodeJS.ErrnoException): undefined;
