/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
export type Ids = {
    /** Returns the same text for equal values, in any order of members. Throws NestedTooDeeply for a value that contains itself. */
    identify(value: unknown): string;
};
/**
 * Identifies values by their contents, in time proportional to their size and without recursion. Equal parts get the same short id,
 * and the text of a value has the ids of its parts only.
 */
export declare function createIds(): Ids;
