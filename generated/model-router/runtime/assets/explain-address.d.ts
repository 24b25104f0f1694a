/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
/** Why nothing is downloaded from an address; undefined for one that is fine. */
export declare function explainAddress(address: string, { allowHttp, allowPrivate }: {
    readonly allowHttp: boolean;
    readonly allowPrivate: boolean;
}): string | undefined;
