/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
export type Ids = {
    /** The same text for equal values, whatever the order of their members. Throws NestedTooDeeply on a value that holds itself. */
    identify(value: unknown): string;
};
/**
 * Names values by their contents, in time proportional to their size and without recursion: a part that is equal to an earlier
 * one gets its name, so that a value's own text holds those of its parts and not all that is in them.
 */
export declare function createIds(): Ids;
