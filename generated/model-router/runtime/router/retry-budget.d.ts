/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Bounds what the calls of one client repeat together, so that a dead server is not sent four times as much. */
export type RetryBudget = {
    /** Takes the price of one repetition; false where too little is left. */
    spend(): boolean;
    /** A call succeeded. */
    refund(wasRepeated: boolean): void;
};
export declare function createRetryBudget(): RetryBudget;
