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
    /** Empty if no process holds it; `?` if the claim cannot be read. */
    readonly holder: string;
    /** State of the holder. `unknown`: it is on another machine or in another container, and had a heartbeat a moment ago. */
    readonly life: 'alive' | 'unknown' | 'gone';
    /** Milliseconds since the epoch, by the clock of its process; 0 if the claim cannot be read. */
    readonly since: number;
};
export declare function readClaim(place: ClaimPlace, names?: readonly string[]): Promise<Claim>;
/** Replaces the claim `earlier` by one of `holder`, or of no process if that is empty. Returns false if another process was faster. */
export declare function follow(place: ClaimPlace, earlier: Claim, holder: string): Promise<boolean>;
/** Writes a heartbeat, for processes that cannot see this one. */
export declare function beat(place: ClaimPlace, { number }: Pick<Claim, 'number'>): Promise<void>;
/** Lists the names in a folder; empty if it does not exist. */
export declare function readFolder(folder: string): Promise<string[]>;
/** Returns undefined for a missing file, and throws every other error. */
export declare function ignoreAbsence(error: NodeJS.ErrnoException): undefined;
