/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** The right of this process to work on a file. */
export type Claim = {
    /** Lets another process follow. */
    release(): Promise<void>;
    /** Stops renewing, for a file that is removed. */
    drop(): void;
};
/**
 * Claims a file among processes, or returns undefined where another one works on it. The claim with the highest number holds.
 * Nobody takes one away: who follows writes the next number, which only one process can create.
 */
export declare function claimFile(folder: string, name: string): Promise<Claim | undefined>;
/** Whether no process works on a file. */
export declare function isFree(folder: string, name: string): Promise<boolean>;
/** What belongs to a file that is removed. */
export declare function removeClaims(folder: string, name: string): Promise<void>;
/** Empty for a folder that does not exist. */
export declare function namesIn(folder: string): Promise<string[]>;
