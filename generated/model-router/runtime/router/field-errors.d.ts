/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Where a value was refused, and why: an entry of a 422, or of a validator's failures. */
export type RefusedField = {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
};
/**
 * Messages by path, as in `layers[0].kind`; the path of the whole value is empty. Takes `fields` of an error and `detail` of a
 * validator or of a 422.
 */
export declare function fieldErrors(detail: readonly RefusedField[]): {
    [path: string]: string[];
};
