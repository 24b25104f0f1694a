/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; do not edit.
 */
/** A failing field: an entry of a 422, or a failure of a validator. */
export type RefusedField = {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
};
/**
 * Returns messages by path, such as `layers[0].kind`; the path of the whole value is empty. Accepts `fields` of an
 * error, and `detail` of a validator or a 422.
 */
export declare function fieldErrors(detail: readonly RefusedField[]): {
    [path: string]: string[];
};
