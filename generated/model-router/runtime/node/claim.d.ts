/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The claims of a place are the files `<name>.claim-<number>` of a folder. */
export type ClaimPlace = {
    readonly folder: string;
    readonly name: string;
};
export type Claim = {
    /** 0 if there is no claim. */
    readonly number: number;
    /** Empty if no program holds it; `?` if the claim cannot be read. */
    readonly holder: string;
    /** Milliseconds since the epoch. */
    readonly beatAt: number;
};
export declare function readClaim(place: ClaimPlace, names?: readonly string[]): Promise<Claim>;
/** True if no program works on it. A heartbeat from the future counts as stale: the clock was set back. */
export declare const isFree: ({ holder, beatAt }: Claim) => boolean;
/** Replaces the claim `earlier` by one of `holder`, or of no program if that is empty. Returns false if another was faster. */
export declare function follow(place: ClaimPlace, earlier: Claim, holder: string): Promise<boolean>;
export declare function beat(place: ClaimPlace, { number }: {
    readonly number: number;
}): Promise<void>;
/** Lists the names in a folder; empty if it does not exist. */
export declare function readFolder(folder: string): Promise<string[]>;
/** Returns undefined for a missing file, and throws every other error. */
export declare function ignoreAbsence(error: NodeJS.ErrnoException): undefined;
